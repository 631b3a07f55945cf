"""Free-format MPS files."""

from collections.abc import Iterator, Sequence
from typing import Any

from scipy.sparse import csr_matrix

from ordojo.milp.algebra import number
from ordojo.milp.model import INF, Model, VarType
from ordojo.milp.problem import General, GeneralFunction, Problem, Quadratic, without_pieces
from ordojo.milp.writers.parts import NO_BOUND, SEMI, check_whole, free_name, further, sign_and_side

_WHOLE = (VarType.INTEGER, VarType.BINARY)
_LETTERS = {"=": "E", "<": "L", ">": "G"}
_OVER_MANY = frozenset(["MAX", "MIN", "ABS", "AND", "OR", "NORM"])
"""Functions whose value stands before their arguments; of the others it stands behind."""
_OPTIONS = "    Options 0 0.01 0.001 -1 -1"
"""How Gurobi takes a smooth function by pieces, where nothing is asked: it reads none without."""


def mps_lines(problem: Problem) -> Iterator[str]:
    """The lines of an MPS file; DataError for what it cannot say."""
    check_whole(problem)
    problem, pieces = without_pieces(problem)
    model, names = problem.model, problem.model.col_names
    goals = _goals(problem)
    rows = [*_linear(model), *_further(problem)]
    yield f"NAME {'_'.join(model.name.split()) or 'model'}"
    yield from ("OBJSENSE", "    MAX" if model.maximize else "    MIN", "ROWS")
    yield from (f" N {title}{tail}" for title, tail, _, _ in goals)
    yield from (f" {letter} {name}" for name, letter, _ in rows)
    yield "COLUMNS"
    yield from _columns(problem, goals)
    yield "RHS"
    yield from (f" RHS {title} {number(-offset)}" for title, _, _, offset in goals if offset)
    yield from (f" RHS {name} {number(side)}" for name, _, side in rows)
    yield "RANGES"
    sides = zip(model.row_names, model.row_lower.tolist(), model.row_upper.tolist(), strict=True)
    for name, lower, upper in sides:
        if -INF < lower != upper < INF:
            yield f" RNG {name} {number(upper - lower)}"
    yield "BOUNDS"
    yield from _bounds(model)
    yield from _beyond(problem, names)
    if pieces:
        yield "PWLOBJ"
    for j, numbers in pieces.items():
        yield from (f" {names[j]} {pair}" for pair in _pairs(numbers))
    if problem.general:
        yield "GENCONS"
    for each in problem.general:
        yield from _general(each, names)
    yield "ENDATA"


Goal = tuple[str, str, Any, float]
"""An objective's name, what stands behind it, its coefficients and constant."""


def _goals(problem: Problem) -> list[Goal]:
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
"""A row's name, letter and right side."""


def _linear(model: Model) -> Iterator[Row]:
    sides = zip(model.row_lower.tolist(), model.row_upper.tolist(), strict=True)
    for name, (lower, upper) in zip(model.row_names, sides, strict=True):
        letter = "E" if lower == upper else "L" if upper < INF else "G"
        yield name, letter, upper if upper < INF else lower


def _further(problem: Problem) -> Iterator[Row]:
    for row in further(problem):
        sign, side = sign_and_side(row.lower, row.upper)
        yield row.name, _LETTERS[sign], side


def _columns(problem: Problem, goals: list[Goal]) -> Iterator[str]:
    model = problem.model
    matrix = csr_matrix((model.value, model.index, model.starts), (model.m, model.n)).tocsc()
    starts, index, value = matrix.indptr.tolist(), matrix.indices.tolist(), matrix.data.tolist()
    entries: dict[int, list[str]] = {}
    for row in further(problem):
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


def _bounds(model: Model) -> Iterator[str]:
    lows, ups = (bounds.tolist() for bounds in model.effective_bounds)
    for name, kind, lower, upper in zip(
        model.col_names, model.types.tolist(), lows, ups, strict=True
    ):
        if kind == VarType.CONTINUOUS and (lower, upper) == (0, INF):
            continue
        if kind == VarType.CONTINUOUS and (lower, upper) == (-INF, INF):
            yield f" FR BND {name}"
            continue
        if kind == VarType.BINARY and (lower, upper) == (0, 1):
            yield f" BV BND {name}"
            continue
        yield f" MI BND {name}" if lower == -INF else f" LO BND {name} {number(lower)}"
        if kind in SEMI:
            mark = "SC" if kind == VarType.SEMICONTINUOUS else "SI"
            yield f" {mark} BND {name} {number(min(upper, NO_BOUND))}"
        else:
            yield f" PL BND {name}" if upper == INF else f" UP BND {name} {number(upper)}"


def _beyond(problem: Problem, names: Sequence[str]) -> Iterator[str]:
    """Sets, products and indicators."""
    if problem.sos:
        yield "SOS"
    for k, each in enumerate(problem.sos):
        yield f" S{each.kind} {each.name or f's{k}'}"
        pairs = zip(each.index.tolist(), each.weights.tolist(), strict=True)
        yield from (f"    {names[j]} {number(weight)}" for j, weight in pairs)
    if problem.quadratic is not None:
        yield "QUADOBJ"  # one half of Q in x'Qx / 2
        for a, b, value in _entries(problem.quadratic):
            yield f" {names[a]} {names[b]} {number(value * (2.0 if a == b else 1.0))}"
    for row in problem.quadratic_rows:
        yield f"QCMATRIX {row.name}"  # the whole of Q in x'Qx
        for a, b, value in _entries(row.quadratic):
            half = number(value if a == b else value / 2)
            yield f" {names[a]} {names[b]} {half}"
            if a != b:
                yield f" {names[b]} {names[a]} {half}"
    if problem.indicators:
        yield "INDICATORS"
    for tie in problem.indicators:
        yield f" IF {tie.name} {names[tie.binary]} {tie.active}"


def _entries(found: Quadratic) -> Iterator[tuple[int, int, float]]:
    return zip(found.first.tolist(), found.second.tolist(), found.value.tolist(), strict=True)


def _pairs(numbers: Sequence[float]) -> list[str]:
    pairs = zip(numbers[::2], numbers[1::2], strict=True)
    return [f"{number(x)} {number(y)}" for x, y in pairs]


def _general(each: General, names: Sequence[str]) -> Iterator[str]:
    operands, result = [names[j] for j in each.operands.tolist()], names[each.result]
    title, numbers = each.function.upper(), [number(c) for c in each.numbers]
    if each.function == GeneralFunction.NORM:
        yield f" NORM {numbers.pop(0).upper()} {each.name}"
    else:
        yield f" {title} {each.name}"
    if title in _OVER_MANY:
        yield from (f"    {word}" for word in (result, *operands, *numbers))
        return
    if each.function != GeneralFunction.PWL:
        yield _OPTIONS
    yield f"    {operands[0]} {result}"
    if each.function == GeneralFunction.PWL:
        numbers = _pairs(each.numbers)
    elif each.function == GeneralFunction.POLY:
        last = len(numbers) - 1
        numbers = [f"{last - k} {c}" for k, c in enumerate(numbers) if each.numbers[k]]
    yield from (f"    {line}" for line in numbers)
