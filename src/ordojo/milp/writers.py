"""The text of LP and MPS files, in Gurobi's grammar; numbers in the shortest form that reads back.

First what both formats share, then the lines of an LP file, then those of an MPS file.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from ordojo.core.errors import DataError
from ordojo.milp.algebra import number, set_text
from ordojo.milp.model import INF, Model, VarType, free_name
from ordojo.milp.problem import (
    VALUE_FIRST,
    General,
    GeneralFunction,
    Indicator,
    Problem,
    Quadratic,
    QuadraticRow,
    without_pieces,
)

_SEMI = (VarType.SEMICONTINUOUS, VarType.SEMIINTEGER)
_NO_BOUND = 1e30
"""How an upper bound that is none is written where one must stand."""


def _check_whole(problem: Problem) -> None:
    """Raise DataError for what neither format can say."""
    if problem.settings.lazy:
        raise DataError("constraints that a callback adds cannot be written; state them as rows")
    for row in _further(problem):
        if -INF < row.lower < row.upper < INF:
            raise DataError(f"'{row.name}' has two sides, which cannot be written; state it twice")


def _sign_and_side(lower: float, upper: float) -> tuple[str, float]:
    """`=`, `<` or `>` and the right side of a row with one."""
    if lower == upper:
        return "=", upper
    return ("<", upper) if lower == -INF else (">", lower)


def _further(problem: Problem) -> list[Indicator | QuadraticRow]:
    """The rows beyond linear ones."""
    return [*problem.indicators, *problem.quadratic_rows]


def _bounded(model: Model) -> Iterator[tuple[str, int, float, float]]:
    """The columns' names, types and effective bounds."""
    lows, ups = (bounds.tolist() for bounds in model.effective_bounds)
    return zip(model.col_names, model.types.tolist(), lows, ups, strict=True)


def _points(numbers: Sequence[float]) -> list[tuple[str, str]]:
    """Numbers in pairs, as they are written."""
    return [(number(x), number(y)) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]


_WIDTH = 8
"""Terms or names on a line."""
_SIGNS = {"=": "=", "<": "<=", ">": ">="}
Terms = list[tuple[str, float]]


def lp_lines(problem: Problem, every: bool = True) -> Iterator[str]:
    """The lines of an LP file.

    With `every` all columns stand in the objective, so that their order holds; else only those
    with a cost and those that no row has. DataError for what neither format can say.
    """
    _check_whole(problem)
    problem, pieces = without_pieces(problem)
    model, names = problem.model, problem.model.col_names
    yield from _lp_objectives(problem, every, pieces)
    yield "Subject To"
    yield from _lp_rows(problem)
    yield "Bounds"
    yield from (f" {name} = 1" for name, offset in _constants(problem).items() if offset)
    yield from _lp_bounds(model)
    yield from _lp_types(model)
    if problem.sos:
        yield "SOS"
    for k, each in enumerate(problem.sos):
        yield f" {each.name or f's{k}'}: {set_text(model, each)}"
    if pieces:
        yield "PWLObj"
    for j, numbers in pieces.items():
        yield f" {names[j]}: {_bracketed(numbers)}"
    if problem.general:
        yield "General Constraints"
    yield from (f" {each.name}: {function_text(model, each)}" for each in problem.general)
    yield "End"


def _lp_objectives(problem: Problem, every: bool, pieces: dict[int, Any]) -> Iterator[str]:
    model, names = problem.model, problem.model.col_names
    start = "Maximize" if model.maximize else "Minimize"
    yield f"{start} multi-objectives" if problem.objectives else start
    constants = _constants(problem)
    for k, (goal, ending) in enumerate(zip(problem.objectives, constants.items(), strict=False)):
        yield (
            f" {goal.name or f'OBJ{k}'}: Priority={goal.priority} Weight={number(goal.weight)} "
            f"AbsTol={number(goal.abs_tol)} RelTol={number(goal.rel_tol)}"
        )
        terms = _named(range(model.n), goal.coefficients, names)
        shown = [pair for pair in terms if pair[1] or (every and not k)]
        yield from _wrapped("  ", shown or terms[:1], _constant(*ending))
    if problem.objectives:
        return
    kept = range(model.n) if every else _in_objective(problem, pieces)
    end = _constant(*next(iter(constants.items())))
    if problem.quadratic is not None:
        end += f" + {_products(problem.quadratic, names, 2.0)} / 2"
    title = f" {free_name('obj', model.rows)}: " if every else "  "
    yield from _wrapped(title, _named(kept, model.objective, names), end)


def _in_objective(problem: Problem, pieces: dict[int, Any]) -> list[int]:
    """The columns with a cost, and those that would be nowhere before Bounds."""
    used = {*problem.model.index.tolist(), *pieces}
    for row in _further(problem):
        used.update(row.index.tolist())
    for part in (problem.quadratic, *(row.quadratic for row in problem.quadratic_rows)):
        if part is not None:
            used.update(part.first.tolist(), part.second.tolist())
    used.update(tie.binary for tie in problem.indicators)
    costs = problem.model.objective.tolist()
    return [j for j, cost in enumerate(costs) if cost or j not in used]


def _named(index: Iterable[int], values: Any, names: Sequence[str]) -> Terms:
    """Terms of a dense array of coefficients."""
    return [(names[j], values.item(j)) for j in index]


def _terms(index: Any, value: Any, names: Sequence[str]) -> Terms:
    return [(names[j], v) for j, v in zip(index.tolist(), value.tolist(), strict=True)]


def _constants(problem: Problem) -> dict[str, float]:
    """The objectives' constants by the columns, fixed at 1, by which Gurobi writes them.

    It reads a number alone as a column of that name.
    """
    model = problem.model
    offsets = [goal.offset for goal in problem.objectives] or [model.offset]
    numbers = range(len(offsets)) if problem.objectives else [""]
    titles = [free_name(f"Constant{k}", model.cols) for k in numbers]
    return dict(zip(titles, map(float, offsets), strict=True))


def _constant(name: str, offset: float) -> str:
    return f"{'-' if offset < 0 else '+'} {number(abs(offset))} {name}" if offset else ""


def _lp_rows(problem: Problem) -> Iterator[str]:
    model, names = problem.model, problem.model.col_names
    for i, name in enumerate(model.row_names):
        terms = _terms(*model.row(i), names) or [(names[0], 0.0)]
        lower, upper = model.row_lower.item(i), model.row_upper.item(i)
        if -INF < lower < upper < INF:
            start = f" {name}: {number(lower)} <= "
            yield from _wrapped(start, terms, f"<= {number(upper)}")
        else:
            yield from _wrapped(f" {name}: ", terms, _side(lower, upper))
    for row in problem.quadratic_rows:
        terms = _terms(row.index, row.value, names)
        end = f"{'+ ' if terms else ''}{_products(row.quadratic, names, 1.0)} "
        yield from _wrapped(f" {row.name}: ", terms, end + _side(row.lower, row.upper))
    for tie in problem.indicators:
        start = f" {tie.name}: {names[tie.binary]} = {tie.active} -> "
        terms = _terms(tie.index, tie.value, names) or [(names[0], 0.0)]
        yield from _wrapped(start, terms, _side(tie.lower, tie.upper))


def _side(lower: float, upper: float) -> str:
    sign, side = _sign_and_side(lower, upper)
    return f"{_SIGNS[sign]} {number(side)}"


def _wrapped(start: str, terms: Terms, end: str) -> Iterator[str]:
    line = start
    for k, (name, value) in enumerate(terms):
        if k and k % _WIDTH == 0:
            yield line.rstrip()
            line = "  "
        sign = "- " if value < 0 else "+ " if k else ""
        line += f"{sign}{'' if abs(value) == 1 else number(abs(value)) + ' '}{name} "
    yield (line + end).rstrip()


def _products(found: Quadratic, names: Sequence[str], by: float) -> str:
    parts = []
    for a, b, value in found.terms():
        pair = f"{names[a]} ^ 2" if a == b else f"{names[a]} * {names[b]}"
        parts.append(f"{'- ' if value < 0 else '+ '}{number(abs(by * value))} {pair}")
    return f"[ {' '.join(parts)} ]"


def _lp_bounds(model: Model) -> Iterator[str]:
    for name, kind, lower, upper in _bounded(model):
        if kind == VarType.BINARY and (lower, upper) == (0, 1):
            continue
        if (lower, upper) == (-INF, INF):
            yield f" {name} free"
        elif lower == upper:
            yield f" {name} = {number(lower)}"
        elif lower == 0 < upper < INF:
            yield f" {name} <= {number(upper)}"
        elif upper < INF:
            yield f" {'-inf' if lower == -INF else number(lower)} <= {name} <= {number(upper)}"
        elif lower != 0:
            yield f" {name} >= {number(lower)}"


def _lp_types(model: Model) -> Iterator[str]:
    """Binaries with other bounds are integers: some readers would set their bounds anew."""
    lower, upper = model.effective_bounds
    binary = (model.types == VarType.BINARY) & (lower == 0) & (upper == 1)
    whole = np.isin(model.types, (VarType.INTEGER, VarType.BINARY, VarType.SEMIINTEGER))
    for title, chosen in (
        ("Binaries", binary),
        ("Generals", whole & ~binary),
        ("Semi-Continuous", np.isin(model.types, _SEMI)),
    ):
        found = [name for name, one in zip(model.col_names, chosen, strict=True) if one]
        if found:
            yield title
        for k in range(0, len(found), _WIDTH):
            yield " " + " ".join(found[k : k + _WIDTH])


def _bracketed(numbers: Sequence[float]) -> str:
    return " ".join(f"({x}, {y})" for x, y in _points(numbers))


def function_text(model: Model, each: General) -> str:
    """A general constraint, such as `top = MAX ( x , y , 3 )`."""
    names = model.col_names
    members = [names[j] for j in each.operands.tolist()]
    numbers = [number(c) for c in each.numbers]
    title, of = each.function.upper(), f"( {' , '.join(members)} )"
    match each.function:
        case GeneralFunction.PWL:
            of += f" : {_bracketed(each.numbers)}"
        case GeneralFunction.MAX | GeneralFunction.MIN:
            of = f"( {' , '.join(members + numbers)} )"
        case GeneralFunction.NORM:
            title += f" ( {numbers[0]} )"
        case GeneralFunction.POW:
            of = f"( {members[0]} ^ {numbers[0]} )"
        case GeneralFunction.EXPA:
            of = f"( {numbers[0]} ^ {members[0]} )"
        case GeneralFunction.LOGA:
            title = f"LOG_{numbers[0]}"
        case GeneralFunction.POLY:
            of = f"( {_polynomial(each.numbers, members[0])} )"
    return f"{names[each.result]} = {title} {of}"


def _polynomial(numbers: Sequence[float], name: str) -> str:
    last = len(numbers) - 1
    parts = [
        f"{'- ' if c < 0 else '+ '}{number(abs(c))} {name} ^ {last - k}"
        for k, c in enumerate(numbers)
        if c
    ]
    return " ".join(parts).removeprefix("+ ")


_WHOLE = (VarType.INTEGER, VarType.BINARY)
_LETTERS = {"=": "E", "<": "L", ">": "G"}
_OPTIONS = "    Options 0 0.01 0.001 -1 -1"
"""How Gurobi takes a smooth function by pieces, where nothing is asked: it reads none without."""


def mps_lines(problem: Problem) -> Iterator[str]:
    """The lines of an MPS file; DataError for what it cannot say."""
    _check_whole(problem)
    problem, pieces = without_pieces(problem)
    model, names = problem.model, problem.model.col_names
    goals = _mps_goals(problem)
    rows = [*_mps_rows(model)]
    rows += [(row.name, *_sign_and_side(row.lower, row.upper)) for row in _further(problem)]
    yield f"NAME {'_'.join(model.name.split()) or 'model'}"
    yield from ("OBJSENSE", "    MAX" if model.maximize else "    MIN", "ROWS")
    yield from (f" N {title}{tail}" for title, tail, _, _ in goals)
    yield from (f" {_LETTERS[sign]} {name}" for name, sign, _ in rows)
    yield "COLUMNS"
    yield from _mps_columns(problem, goals)
    yield "RHS"
    yield from (f" RHS {title} {number(-offset)}" for title, _, _, offset in goals if offset)
    yield from (f" RHS {name} {number(side)}" for name, _, side in rows)
    yield "RANGES"
    sides = zip(model.row_names, model.row_lower.tolist(), model.row_upper.tolist(), strict=True)
    for name, lower, upper in sides:
        if -INF < lower != upper < INF:
            yield f" RNG {name} {number(upper - lower)}"
    yield "BOUNDS"
    yield from _mps_bounds(model)
    yield from _mps_beyond(problem, names)
    if pieces:
        yield "PWLOBJ"
    for j, numbers in pieces.items():
        yield from (f" {names[j]} {x} {y}" for x, y in _points(numbers))
    if problem.general:
        yield "GENCONS"
    for each in problem.general:
        yield from _mps_function(each, names)
    yield "ENDATA"


Goal = tuple[str, str, Any, float]
"""An objective's name, what stands behind it, its coefficients and constant."""


def _mps_goals(problem: Problem) -> list[Goal]:
    model = problem.model
    if not problem.objectives:
        return [(free_name("obj", model.rows), "", model.objective, float(model.offset))]
    found = []
    for k, goal in enumerate(problem.objectives):
        numbers = goal.priority, goal.weight, goal.abs_tol, goal.rel_tol
        tail = "".join(f" {number(n)}" for n in numbers)
        name = free_name(goal.name or f"OBJ{k}", model.rows)
        found.append((name, tail, goal.coefficients, float(goal.offset)))
    return found


Row = tuple[str, str, float]
"""A row's name, sign and right side."""


def _mps_rows(model: Model) -> Iterator[Row]:
    sides = zip(model.row_lower.tolist(), model.row_upper.tolist(), strict=True)
    for name, (lower, upper) in zip(model.row_names, sides, strict=True):
        sign = "=" if lower == upper else "<" if upper < INF else ">"
        yield name, sign, upper if upper < INF else lower


def _mps_columns(problem: Problem, goals: list[Goal]) -> Iterator[str]:

    model = problem.model
    order = model.index.argsort(kind="stable")
    starts = model.index[order].searchsorted(np.arange(model.n + 1)).tolist()
    at = np.arange(model.m).repeat(np.diff(model.starts))
    index, value = at[order].tolist(), model.value[order].tolist()
    entries: dict[int, list[str]] = {}
    for row in _further(problem):
        for j, v in zip(row.index.tolist(), row.value.tolist(), strict=True):
            entries.setdefault(j, []).append(f" {model.col_names[j]} {row.name} {number(v)}")
    whole = False
    for j, name in enumerate(model.col_names):
        if (model.types[j] in _WHOLE) != whole:
            whole = not whole
            yield f" MARKER{j} 'MARKER' '{'INTORG' if whole else 'INTEND'}'"
        for k, (title, _, costs, _) in enumerate(goals):
            if costs[j] or not k:
                yield f" {name} {title} {number(costs.item(j))}"
        for k in range(starts[j], starts[j + 1]):
            yield f" {name} {model.row_names[index[k]]} {number(value[k])}"
        yield from entries.get(j, ())
    if whole:
        yield f" MARKER{model.n} 'MARKER' 'INTEND'"


def _mps_bounds(model: Model) -> Iterator[str]:
    for name, kind, lower, upper in _bounded(model):
        if kind == VarType.CONTINUOUS and (lower, upper) == (0, INF):
            continue
        if kind == VarType.CONTINUOUS and (lower, upper) == (-INF, INF):
            yield f" FR BND {name}"
            continue
        if kind == VarType.BINARY and (lower, upper) == (0, 1):
            yield f" BV BND {name}"
            continue
        yield f" MI BND {name}" if lower == -INF else f" LO BND {name} {number(lower)}"
        if kind in _SEMI:
            mark = "SC" if kind == VarType.SEMICONTINUOUS else "SI"
            yield f" {mark} BND {name} {number(min(upper, _NO_BOUND))}"
        else:
            yield f" PL BND {name}" if upper == INF else f" UP BND {name} {number(upper)}"


def _mps_beyond(problem: Problem, names: Sequence[str]) -> Iterator[str]:
    """Sets, products and indicators."""
    if problem.sos:
        yield "SOS"
    for k, each in enumerate(problem.sos):
        yield f" S{each.kind} {each.name or f's{k}'}"
        pairs = zip(each.index.tolist(), each.weights.tolist(), strict=True)
        yield from (f"    {names[j]} {number(weight)}" for j, weight in pairs)
    if problem.quadratic is not None:
        yield "QUADOBJ"  # one half of Q in x'Qx / 2
        for a, b, value in problem.quadratic.terms():
            yield f" {names[a]} {names[b]} {number(value * (2.0 if a == b else 1.0))}"
    for row in problem.quadratic_rows:
        yield f"QCMATRIX {row.name}"  # the whole of Q in x'Qx
        for a, b, value in row.quadratic.terms():
            half = number(value if a == b else value / 2)
            yield f" {names[a]} {names[b]} {half}"
            if a != b:
                yield f" {names[b]} {names[a]} {half}"
    if problem.indicators:
        yield "INDICATORS"
    for tie in problem.indicators:
        yield f" IF {tie.name} {names[tie.binary]} {tie.active}"


def _mps_function(each: General, names: Sequence[str]) -> Iterator[str]:
    operands, result = [names[j] for j in each.operands.tolist()], names[each.result]
    title, numbers = each.function.upper(), [number(c) for c in each.numbers]
    if each.function == GeneralFunction.NORM:
        yield f" NORM {numbers.pop(0).upper()} {each.name}"
    else:
        yield f" {title} {each.name}"
    if each.function in VALUE_FIRST:
        yield from (f"    {word}" for word in (result, *operands, *numbers))
        return
    if each.function != GeneralFunction.PWL:
        yield _OPTIONS
    yield f"    {operands[0]} {result}"
    if each.function == GeneralFunction.PWL:
        numbers = [f"{x} {y}" for x, y in _points(each.numbers)]
    elif each.function == GeneralFunction.POLY:
        last = len(numbers) - 1
        numbers = [f"{last - k} {c}" for k, c in enumerate(numbers) if each.numbers[k]]
    yield from (f"    {line}" for line in numbers)
