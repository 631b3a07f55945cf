"""A model as a program of gurobipy, one line a column and one line a row."""

import keyword
import math
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from ordojo.milp.algebra import number, sum_text
from ordojo.milp.model import INF, Model, VarType, free_name

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
    return free_name(next((name for name in wanted if name not in used), wanted[-1]), used)


_TYPES: dict[int, str] = {
    VarType.INTEGER: "GRB.INTEGER",
    VarType.BINARY: "GRB.BINARY",
    VarType.SEMICONTINUOUS: "GRB.SEMICONT",
    VarType.SEMIINTEGER: "GRB.SEMIINT",
}


def gurobipy_source(model: Model) -> str:
    """A complete program that builds the model, solves it and prints status and objective."""
    names = refs(model.col_names)
    m, used = names.model, model.objective.nonzero()[0].tolist()
    costs = [names.columns[j] for j in used], model.objective[used].tolist()
    goal = sum_text(*costs, float(model.offset), "*") or "0"
    lines = ["import gurobipy as gp", "from gurobipy import GRB", ""]
    lines += [f"{m} = gp.Model({quoted(model.name)})", *(f"{g} = {{}}" for g in names.groups)]
    lines += [*_columns(model, range(model.n)), "", *_rows(model, range(model.m)), ""]
    lines += [
        f"{m}.setObjective({goal}, GRB.{'MAXIMIZE' if model.maximize else 'MINIMIZE'})",
        f"{m}.optimize()",
        f'print("status", {m}.Status)',
        f"if {m}.Status == GRB.OPTIMAL:",
        f'    print("objective", {m}.ObjVal)',
    ]
    return "\n".join(lines) + "\n"


def gurobipy_column(model: Model, j: int) -> str:
    """Column j's line: `x = m.addVar(ub=10, vtype=GRB.INTEGER, name="x")`."""
    return next(_columns(model, range(j, j + 1)))


def gurobipy_row(model: Model, i: int) -> str:
    """Row i's line: `m.addConstr(2*x + 3*y <= 100, name="capacity")`; a dropped row's a comment."""
    return next(_rows(model, range(i, i + 1)))


def _columns(model: Model, numbers: range) -> Iterator[str]:
    names, (lows, ups) = refs(model.col_names), model.effective_bounds
    at = slice(numbers.start, numbers.stop)
    figures = model.types[at].tolist(), lows[at].tolist(), ups[at].tolist()
    columns = zip(names.columns[at], model.col_names[at], *figures, strict=True)
    for column, name, kind, lower, upper in columns:
        words = []
        if lower != 0:
            words.append(f"lb={_side(lower)}")
        if upper != (1 if kind == VarType.BINARY else INF):
            words.append(f"ub={_side(upper)}")
        if kind:
            words.append(f"vtype={_TYPES[kind]}")
        words.append(f"name={quoted(name)}")
        yield f"{column} = {names.model}.addVar({', '.join(words)})"


def _side(value: float) -> str:
    """A bound as a literal."""
    if math.isinf(value):
        return "GRB.INFINITY" if value > 0 else "-GRB.INFINITY"
    return number(value)


def _rows(model: Model, numbers: range) -> Iterator[str]:
    names, at = refs(model.col_names), slice(numbers.start, numbers.stop)
    starts = model.starts[numbers.start : numbers.stop + 1].tolist()
    figures = model.row_lower[at].tolist(), model.row_upper[at].tolist(), pairwise(starts)
    begin, end = starts[0], starts[-1]
    index, value = model.index[begin:end].tolist(), model.value[begin:end].tolist()
    for row, lower, upper, (first, last) in zip(model.row_names[at], *figures, strict=True):
        name, span = quoted(row), slice(first - begin, last - begin)
        if lower == -INF and upper == INF:
            yield f"# dropped: {name}"
            continue
        relation = f"== [{number(lower)}, {number(upper)}]"
        if lower == upper:
            relation = f"== {number(lower)}"
        elif lower == -INF:
            relation = f"<= {number(upper)}"
        elif upper == INF:
            relation = f">= {number(lower)}"
        left = sum_text([names.columns[j] for j in index[span]], value[span], times="*")
        yield f"{names.model}.addConstr({left or 'gp.LinExpr()'} {relation}, name={name})"
