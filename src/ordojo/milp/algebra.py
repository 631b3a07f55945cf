"""A model as readable algebra that `expressions.parse_constraint` reads back exactly."""

from collections.abc import Iterable
from functools import lru_cache
from itertools import repeat

from ordojo.milp.expressions import shown
from ordojo.milp.model import INF, Model, VarType
from ordojo.milp.problem import Indicator, QuadraticRow, Sos

_TYPES = {
    VarType.INTEGER: "integer",
    VarType.BINARY: "binary",
    VarType.SEMICONTINUOUS: "semicontinuous",
    VarType.SEMIINTEGER: "semi-integer",
}


LONGEST = 200
"""Characters of a row in a text: a longer one is not read."""


def cut(text: str) -> str:
    """Algebra without the quotes around x[1,2], which a reader does not need, at most `LONGEST`."""
    text, half = text.replace("`", ""), LONGEST // 2
    return text if len(text) <= LONGEST else f"{text[:half]} ... {text[-half:]}"


@lru_cache(maxsize=1 << 14)
def number(value: float) -> str:
    """The shortest text that gives the same number back: 2, 0.1, 1e+22."""
    if float(value).is_integer() and -1e15 < value < 1e15:
        return str(int(value))
    return repr(float(value)).removesuffix(".0")


def row_text(model: Model, i: int) -> str:
    """Row i, such as `2 x + 3 y <= 100` or `10 <= x + y <= 20`; raises nothing.

    A row without sides reads `2 x + 3 y free`. Coefficients of zero are left out; a row without
    others begins with 0, as in `0 <= 5`. Every other row is read back as it is.
    """
    start, end = model.starts.item(i), model.starts.item(i + 1)
    names = model.col_names
    terms = _terms(
        [names[j] for j in model.index[start:end].tolist()], model.value[start:end].tolist()
    )
    return _sided(terms, *model.sides(i))


def bound_text(model: Model, j: int) -> str:
    """Column j's type and own bounds, such as `0 <= x <= 5, integer`; without any, `x free`."""
    text = _sided(shown(model.col_names[j]), model.col_lower.item(j), model.col_upper.item(j))
    kind = VarType(model.types.item(j))
    return f"{text}, {_TYPES[kind]}" if kind else text


def side_text(model: Model, j: int, upper: bool) -> str:
    """One bound of column j, such as `x <= 5`, `b >= 0 (binary)` or `s >= 4 or 0`."""
    side = model.effective_bounds[upper].item(j)
    semi = bool(model.semi[j]) and (side < 0 if upper else side > 0)
    binary = model.types[j] == VarType.BINARY and side == upper  # a nearer bound is its own
    end = f"{' or 0' if semi else ''}{' (binary)' if binary else ''}"
    return f"{model.col_names[j]} {'<=' if upper else '>='} {number(side)}{end}"


def indicator_text(model: Model, part: Indicator) -> str:
    """An indicator, such as `b = 1 -> x + y >= 10`."""
    names = [model.col_names[j] for j in part.index.tolist()]
    row = _sided(_terms(names, part.value.tolist()), part.lower, part.upper)
    return f"{shown(model.col_names[part.binary])} = {part.active} -> {row}"


def products_text(model: Model, row: QuadraticRow) -> str:
    """A row with products as `row_text` has others, such as `x + 2 x*y + y^2 <= 5`."""
    names, quadratic = model.col_names, row.quadratic
    terms, values = [names[j] for j in row.index.tolist()], row.value.tolist()
    pairs = quadratic.terms()
    terms += [f"{names[i]}^2" if i == j else f"{names[i]}*{names[j]}" for i, j, _ in pairs]
    return _sided(_terms(terms, values + [value for _, _, value in pairs]), row.lower, row.upper)


def set_text(model: Model, part: Sos) -> str:
    """An ordered set as LP files have it, such as `S1 :: x:1  y:2`."""
    pairs = zip(part.index.tolist(), part.weights.tolist(), strict=True)
    return f"S{part.kind} :: {'  '.join(f'{model.col_names[j]}:{number(w)}' for j, w in pairs)}"


def objective_text(model: Model) -> str:
    """The objective, such as `maximize 3 x + 2 y + 10`."""
    used = model.objective.nonzero()[0].tolist()
    names = [model.col_names[j] for j in used]
    text = sum_text(names, model.objective[used].tolist(), float(model.offset)) or "0"
    return f"{'maximize' if model.maximize else 'minimize'} {text}"


def sum_text(
    names: Iterable[str], values: Iterable[float], constant: float = 0.0, times: str = " "
) -> str:
    """A sum such as `2 x - y + 10`, without terms of coefficient zero; "" where nothing is left.

    `times` is a blank in algebra, where odd names are quoted, and `*` in programs.
    """
    parts = [part for part in map(_term, names, values, repeat(times)) if part]
    if constant:
        parts.append(f"{'-' if constant < 0 else '+'} {number(abs(constant))}")
    if parts:
        first = parts[0]
        parts[0] = first[2:] if first[0] == "+" else "-" + first[2:]
    return " ".join(parts)


@lru_cache(maxsize=1 << 17)
def _term(name: str, value: float, times: str) -> str:
    """`+ 2 x` or `- x`; nothing where the coefficient is zero."""
    if not value:
        return ""
    size, name = abs(value), shown(name) if times == " " else name
    return f"{'+' if value > 0 else '-'} {'' if size == 1 else number(size) + times}{name}"


def _terms(names: Iterable[str], values: Iterable[float]) -> str:
    return sum_text(names, values) or "0"


def _sided(terms: str, lower: float, upper: float) -> str:
    if lower == upper:
        return f"{terms} = {number(lower)}"
    if lower == -INF:
        return f"{terms} <= {number(upper)}" if upper < INF else f"{terms} free"
    if upper == INF:
        return f"{terms} >= {number(lower)}"
    return f"{number(lower)} <= {terms} <= {number(upper)}"
