"""LP files. HiGHS's own writer keeps 15 digits, and neither odd names nor ranges."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from ordojo.milp.algebra import number, set_text
from ordojo.milp.model import INF, Model, VarType
from ordojo.milp.problem import General, GeneralFunction, Problem, Quadratic, without_pieces
from ordojo.milp.writers.parts import SEMI, check_whole, free_name, further, sign_and_side

_WIDTH = 8
"""Terms or names on a line."""
_SIGNS = {"=": "=", "<": "<=", ">": ">="}
Terms = list[tuple[str, float]]


def lp_lines(problem: Problem, every: bool = True) -> Iterator[str]:
    """The lines of an LP file.

    With `every` all columns stand in the objective, so that their order holds; else only those
    with a cost and those that no row has. DataError for what neither format can say.
    """
    check_whole(problem)
    problem, pieces = without_pieces(problem)
    model, names = problem.model, problem.model.col_names
    yield from _objectives(problem, every, pieces)
    yield "Subject To"
    yield from _rows(problem)
    yield "Bounds"
    yield from (f" {name} = 1" for name, offset in _constants(problem).items() if offset)
    yield from _bounds(model)
    yield from _types(model)
    if problem.sos:
        yield "SOS"
    for k, each in enumerate(problem.sos):
        yield f" {each.name or f's{k}'}: {set_text(model, each)}"
    if pieces:
        yield "PWLObj"
    for j, numbers in pieces.items():
        yield f" {names[j]}: {_points(numbers)}"
    if problem.general:
        yield "General Constraints"
    yield from (f" {each.name}: {function_text(each, names)}" for each in problem.general)
    yield "End"


def _objectives(problem: Problem, every: bool, pieces: dict[int, Any]) -> Iterator[str]:
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
    for row in further(problem):
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


def _rows(problem: Problem) -> Iterator[str]:
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
    sign, side = sign_and_side(lower, upper)
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
    columns = (found.first, found.second, found.value)
    for a, b, value in zip(*(part.tolist() for part in columns), strict=True):
        pair = f"{names[a]} ^ 2" if a == b else f"{names[a]} * {names[b]}"
        parts.append(f"{'- ' if value < 0 else '+ '}{number(abs(by * value))} {pair}")
    return f"[ {' '.join(parts)} ]"


def _bounds(model: Model) -> Iterator[str]:
    lows, ups = (bounds.tolist() for bounds in model.effective_bounds)
    for name, kind, lower, upper in zip(
        model.col_names, model.types.tolist(), lows, ups, strict=True
    ):
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


def _types(model: Model) -> Iterator[str]:
    """Binaries with other bounds are integers: some readers would set their bounds anew."""
    lower, upper = model.effective_bounds
    binary = (model.types == VarType.BINARY) & (lower == 0) & (upper == 1)
    whole = np.isin(model.types, (VarType.INTEGER, VarType.BINARY, VarType.SEMIINTEGER))
    for title, chosen in (
        ("Binaries", binary),
        ("Generals", whole & ~binary),
        ("Semi-Continuous", np.isin(model.types, SEMI)),
    ):
        found = [name for name, one in zip(model.col_names, chosen, strict=True) if one]
        if found:
            yield title
        for k in range(0, len(found), _WIDTH):
            yield " " + " ".join(found[k : k + _WIDTH])


def _points(numbers: Sequence[float]) -> str:
    pairs = zip(numbers[::2], numbers[1::2], strict=True)
    return " ".join(f"({number(x)}, {number(y)})" for x, y in pairs)


def function_text(each: General, names: Sequence[str]) -> str:
    """A general constraint, such as `top = MAX ( x , y , 3 )`."""
    members = [names[j] for j in each.operands.tolist()]
    numbers = [number(c) for c in each.numbers]
    title, of = each.function.upper(), f"( {' , '.join(members)} )"
    match each.function:
        case GeneralFunction.PWL:
            of += f" : {_points(each.numbers)}"
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
