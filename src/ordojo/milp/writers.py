"""The text of MPS and LP files, numbers in the shortest form that reads back the same.

HiGHS's own writers keep 15 digits, and in LP files neither odd names nor ranges.
"""

from collections.abc import Container, Iterator

from scipy.sparse import csr_matrix

from ordojo.milp.algebra import number
from ordojo.milp.model import INF, Model, VarType

_WIDTH = 8
"""Terms on a line of an LP file."""
_SEMI = (VarType.SEMICONTINUOUS, VarType.SEMIINTEGER)
_WHOLE = (VarType.INTEGER, VarType.BINARY)


def mps_lines(model: Model) -> Iterator[str]:
    """The lines of a free-format MPS file."""
    goal = _free_name("obj", model.rows)
    yield f"NAME {'_'.join(model.name.split()) or 'model'}"
    yield from ("OBJSENSE", "    MAX" if model.maximize else "    MIN", "ROWS", f" N {goal}")
    sides = list(zip(model.row_lower.tolist(), model.row_upper.tolist(), strict=True))
    for name, (lower, upper) in zip(model.row_names, sides, strict=True):
        yield f" {'E' if lower == upper else 'L' if upper < INF else 'G'} {name}"
    yield "COLUMNS"
    yield from _mps_columns(model, goal)
    yield "RHS"
    if model.offset:
        yield f" RHS {goal} {number(-float(model.offset))}"
    for name, (lower, upper) in zip(model.row_names, sides, strict=True):
        yield f" RHS {name} {number(upper if upper < INF else lower)}"
    yield "RANGES"
    for name, (lower, upper) in zip(model.row_names, sides, strict=True):
        if -INF < lower != upper < INF:
            yield f" RNG {name} {number(upper - lower)}"
    yield "BOUNDS"
    yield from _mps_bounds(model)
    yield "ENDATA"


def _mps_columns(model: Model, goal: str) -> Iterator[str]:
    matrix = csr_matrix((model.value, model.index, model.starts), (model.m, model.n)).tocsc()
    starts, index, value = matrix.indptr.tolist(), matrix.indices.tolist(), matrix.data.tolist()
    whole = False
    for j, (name, cost) in enumerate(zip(model.col_names, model.objective.tolist(), strict=True)):
        if (model.types[j] in _WHOLE) != whole:
            whole = not whole
            yield f" MARKER{j} 'MARKER' '{'INTORG' if whole else 'INTEND'}'"
        yield f" {name} {goal} {number(cost)}"
        for k in range(starts[j], starts[j + 1]):
            yield f" {name} {model.row_names[index[k]]} {number(value[k])}"
    if whole:
        yield f" MARKER{model.n} 'MARKER' 'INTEND'"


def _mps_bounds(model: Model) -> Iterator[str]:
    lows, ups = (bounds.tolist() for bounds in model.effective_bounds)
    for name, kind, lower, upper in zip(
        model.col_names, model.types.tolist(), lows, ups, strict=True
    ):
        if kind == VarType.CONTINUOUS and (lower, upper) == (0, INF):
            continue
        if kind == VarType.CONTINUOUS and (lower, upper) == (-INF, INF):
            yield f" FR BND {name}"
            continue
        yield f" MI BND {name}" if lower == -INF else f" LO BND {name} {number(lower)}"
        if kind in _SEMI:
            mark = "SC" if kind == VarType.SEMICONTINUOUS else "SI"
            yield f" {mark} BND {name} {number(min(upper, 1e30))}"
        else:
            yield f" PL BND {name}" if upper == INF else f" UP BND {name} {number(upper)}"


def lp_lines(model: Model) -> Iterator[str]:
    """The lines of an LP file; all columns stand in the objective, so that their order holds."""
    names = model.col_names
    yield "Maximize" if model.maximize else "Minimize"
    goal = _free_name("obj", model.rows)
    offset = float(model.offset)
    end = f" {'-' if offset < 0 else '+'} {number(abs(offset))}" if offset else ""
    yield from _wrapped(f" {goal}:", list(names), model.objective.tolist(), end)
    yield "Subject To"
    for i, name in enumerate(model.row_names):
        index, value = model.row(i)
        terms = [names[j] for j in index.tolist()], value.tolist()
        if not terms[0]:
            terms = [*names[:1]], [0.0]
        lower, upper = model.row_lower.item(i), model.row_upper.item(i)
        start, end = f" {name}:", f" <= {number(upper)}"
        if lower == upper:
            end = f" = {number(upper)}"
        elif upper == INF:
            end = f" >= {number(lower)}"
        elif lower > -INF:
            start += f" {number(lower)} <="
        yield from _wrapped(start, *terms, end)
    yield "Bounds"
    yield from _lp_bounds(model)
    for title, kinds in (
        ("General", (VarType.INTEGER, VarType.BINARY, VarType.SEMIINTEGER)),
        ("Semi-continuous", _SEMI),
    ):
        found = [name for name, kind in zip(names, model.types, strict=True) if kind in kinds]
        if found:
            yield from (title, *(f" {name}" for name in found))
    yield "End"


def _lp_bounds(model: Model) -> Iterator[str]:
    lows, ups = (bounds.tolist() for bounds in model.effective_bounds)
    for name, lower, upper in zip(model.col_names, lows, ups, strict=True):
        if (lower, upper) == (-INF, INF):
            yield f" {name} free"
        elif upper < INF:
            yield f" {'-inf' if lower == -INF else number(lower)} <= {name} <= {number(upper)}"
        elif lower != 0:
            yield f" {name} >= {number(lower)}"


def _wrapped(start: str, names: list[str], values: list[float], end: str) -> Iterator[str]:
    line = start
    for k, (name, value) in enumerate(zip(names, values, strict=True)):
        if k and k % _WIDTH == 0:
            yield line
            line = "  "
        line += f" {'-' if value < 0 else '+'} {number(abs(value))} {name}"
    yield line + end


def _free_name(wanted: str, used: Container[str]) -> str:
    """A name for the objective that no row has."""
    while wanted in used:
        wanted += "_"
    return wanted
