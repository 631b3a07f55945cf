"""A model as a program of gurobipy, one line a column and one line a row."""

import keyword
import math
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise, repeat
from typing import NamedTuple

from ordojo.milp.algebra import number
from ordojo.milp.model import INF, Model, VarType

_GROUPED = re.compile(r"([A-Za-z]\w*)\[([A-Za-z0-9_.#-]+(?:,[A-Za-z0-9_.#-]+)*)\]", re.ASCII)
_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,17}")
_MODELS = ("m", "model", "m_")
_TAKEN = frozenset({"gp", "GRB", "highspy", "pyo", "add", "solver", "result", "print"})


class Refs(NamedTuple):
    """How a program refers to its model and to each column, and the dicts it needs for that."""

    model: str
    columns: tuple[str, ...]
    groups: tuple[str, ...]


@lru_cache(maxsize=32)
def refs(names: tuple[str, ...]) -> Refs:
    """Scalars for identifiers, `x[0]` and `x["a", 1]` for groups, `v["any name"]` for the rest."""
    scalars = {name for name in names if _is_scalar(name)}
    model = _free(_MODELS, scalars)
    rest = _free(("v", "v_", "column"), scalars | {model})
    groups: dict[str, None] = {}
    columns = []
    for name in names:
        if name in scalars and name != model:
            columns.append(name)
            continue
        match = _GROUPED.fullmatch(name)
        if match and _is_scalar(match[1]) and match[1] not in scalars | {model, rest}:
            keys = (k if _WHOLE.fullmatch(k) else quoted(k) for k in match[2].split(","))
            groups[match[1]] = None
            columns.append(f"{match[1]}[{', '.join(keys)}]")
        else:
            groups[rest] = None
            columns.append(f"{rest}[{quoted(name)}]")
    return Refs(model, tuple(columns), tuple(groups))


def quoted(name: str) -> str:
    """A Python literal of a name."""
    if name.isprintable() and '"' not in name and "\\" not in name:
        return f'"{name}"'
    return repr(name)


def linear(model: Model, i: int) -> str:
    """Row i's left side over the program's names; empty where it has no terms."""
    start, end = model.starts.item(i), model.starts.item(i + 1)
    columns = refs(model.col_names).columns
    found = [columns[j] for j in model.index[start:end].tolist()]
    return joined(found, model.value[start:end].tolist())


def linears(model: Model) -> Iterator[str]:
    """`linear` of every row, in order."""
    columns = refs(model.col_names).columns
    starts, index, value = (array.tolist() for array in (model.starts, model.index, model.value))
    for start, end in pairwise(starts):
        yield joined([columns[j] for j in index[start:end]], value[start:end])


def objective(model: Model) -> str:
    """The objective over the program's names; empty where it has neither term nor offset."""
    columns = refs(model.col_names).columns
    used = model.objective.nonzero()[0].tolist()
    text = joined([columns[j] for j in used], model.objective[used].tolist())
    offset = float(model.offset)
    if not offset:
        return text
    if not text:
        return number(offset)
    return f"{text} {'-' if offset < 0 else '+'} {number(abs(offset))}"


def effective(model: Model, j: int) -> tuple[float, float]:
    """Column j's bounds, those of a BINARY one cut to 0 and 1."""
    lower, upper = model.col_lower.item(j), model.col_upper.item(j)
    if model.types[j] == 2:
        return max(lower, 0.0), min(upper, 1.0)
    return lower, upper


def side(value: float, infinity: str) -> str:
    """A bound as a literal."""
    if math.isinf(value):
        return infinity if value > 0 else f"-{infinity}"
    return number(value)


def joined(columns: list[str], values: list[float]) -> str:
    """`2*x - y`, without the terms of coefficient zero."""
    parts = [part for part in map(_term, columns, values) if part]
    if not parts:
        return ""
    first = parts[0]
    parts[0] = first[2:] if first[0] == "+" else "-" + first[2:]
    return " ".join(parts)


@lru_cache(maxsize=1 << 16)
def _term(column: str, value: float) -> str:
    if not value:
        return ""
    size = abs(value)
    return f"{'+' if value > 0 else '-'} {'' if size == 1 else number(size) + '*'}{column}"


@lru_cache(maxsize=1 << 12)
def _is_scalar(name: str) -> bool:
    return (
        name.isascii()
        and name.isidentifier()
        and not name.startswith("_")
        and not keyword.iskeyword(name)
        and name not in _TAKEN
    )


def _free(wanted: tuple[str, ...], used: set[str]) -> str:
    """The first of the wanted names that is not used, lengthened where all are."""
    name = next((name for name in wanted if name not in used), wanted[-1])
    while name in used:
        name += "_"
    return name


_TYPES: dict[int, str] = {
    VarType.INTEGER: "GRB.INTEGER",
    VarType.BINARY: "GRB.BINARY",
    VarType.SEMICONTINUOUS: "GRB.SEMICONT",
    VarType.SEMIINTEGER: "GRB.SEMIINT",
}

Lines = tuple[list[str], list[str], dict[int, str], list[str]]
"""The lines before, of the columns, of the rows by number, and after."""


def gurobipy_source(model: Model) -> str:
    """A complete program that builds the model, solves it and prints status and objective."""
    head, columns, rows, tail = gurobipy_lines(model)
    return "\n".join([*head, *columns, "", *rows.values(), "", *tail]) + "\n"


def gurobipy_lines(model: Model) -> Lines:
    """The program in parts, so that one line can be written anew."""
    names = refs(model.col_names)
    m = names.model
    head = ["import gurobipy as gp", "from gurobipy import GRB", ""]
    head += [f"{m} = gp.Model({quoted(model.name)})", *(f"{g} = {{}}" for g in names.groups)]
    sense = "MAXIMIZE" if model.maximize else "MINIMIZE"
    tail = [
        f"{m}.setObjective({objective(model) or 0}, GRB.{sense})",
        f"{m}.optimize()",
        f'print("status", {m}.Status)',
        f"if {m}.Status == GRB.OPTIMAL:",
        f'    print("objective", {m}.ObjVal)',
    ]
    bounds = [side.tolist() for side in model.effective_bounds]
    columns = map(_column, repeat(m), names.columns, model.col_names, model.types.tolist(), *bounds)
    sides = model.row_lower.tolist(), model.row_upper.tolist()
    rows = map(_row, repeat(m), model.row_names, linears(model), *sides)
    return head, list(columns), dict(enumerate(rows)), tail


def gurobipy_column(model: Model, j: int) -> str:
    """Column j's line: `x = m.addVar(ub=10, vtype=GRB.INTEGER, name="x")`."""
    names = refs(model.col_names)
    kind, bounds = model.types.item(j), effective(model, j)
    return _column(names.model, names.columns[j], model.col_names[j], kind, *bounds)


def gurobipy_row(model: Model, i: int) -> str:
    """Row i's line: `m.addConstr(2*x + 3*y <= 100, name="capacity")`; a dropped row's a comment."""
    sides = model.row_lower.item(i), model.row_upper.item(i)
    return _row(refs(model.col_names).model, model.row_names[i], linear(model, i), *sides)


def _column(m: str, column: str, name: str, kind: int, lower: float, upper: float) -> str:
    words = []
    if lower != 0:
        words.append(f"lb={side(lower, 'GRB.INFINITY')}")
    if upper != (1 if kind == VarType.BINARY else INF):
        words.append(f"ub={side(upper, 'GRB.INFINITY')}")
    if kind:
        words.append(f"vtype={_TYPES[kind]}")
    words.append(f"name={quoted(name)}")
    return f"{column} = {m}.addVar({', '.join(words)})"


def _row(m: str, name: str, left: str, lower: float, upper: float) -> str:
    if lower == -INF and upper == INF:
        return f"# dropped: {quoted(name)}"
    if lower == upper:
        relation = f"== {number(lower)}"
    elif lower == -INF:
        relation = f"<= {number(upper)}"
    elif upper == INF:
        relation = f">= {number(lower)}"
    else:
        relation = f"== [{number(lower)}, {number(upper)}]"
    return f"{m}.addConstr({left or 'gp.LinExpr()'} {relation}, name={quoted(name)})"
