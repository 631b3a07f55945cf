"""Problems, results, events and what else goes in messages, read with every size checked."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any

import numpy as np

from ordojo.compat.wire import BadMessage, Fields, pack
from ordojo.milp.model import INF, Floats, Model
from ordojo.solvers.answers import Iis, Side, SolveResult, Status
from ordojo.solvers.problem import (
    WHERES,
    CallbackReply,
    Event,
    General,
    GeneralFunction,
    Indicator,
    LazyConstraint,
    LinearObjective,
    Problem,
    Quadratic,
    QuadraticRow,
    Settings,
    Sos,
)


@dataclass(frozen=True)
class Analysis:
    """What simplex leaves beside a solution; parts that do not apply are None.

    Basis (n and m): 1 where basic, else 0 at the lower side, 2 at the upper one, 3 at none. Ranges
    (n and m, low and up): of each cost, and of the side that each nonbasic column or row stands at,
    within which the basis stays optimal. `dual_ray` (m) combines rows into a contradiction;
    `primal_ray` (n) is a direction without end.
    """

    x: Floats | None = None
    activity: Floats | None = None
    col_basis: Floats | None = None
    row_basis: Floats | None = None
    cost_low: Floats | None = None
    cost_up: Floats | None = None
    col_low: Floats | None = None
    col_up: Floats | None = None
    row_low: Floats | None = None
    row_up: Floats | None = None
    dual_ray: Floats | None = None
    primal_ray: Floats | None = None


def read_analysis(data: Any) -> Analysis:
    """The analysis in an unpacked message; raises BadMessage."""
    given = Fields(data, "the analysis")
    parts = [part.name for part in fields(Analysis)]
    return Analysis(**{name: given.maybe(name, given.floats, *ANY) for name in parts})


ANY = (None, False, True)
"""Of an array: no length of its own, and infinite numbers and those that are none, too."""
MANY = 10_000_000
"""No list may be longer: a bound on what a sender costs, far above the models of the benchmarks."""


def read_problem(data: Any) -> Problem:
    """The problem in an unpacked message; raises BadMessage where it is none."""
    fields = Fields(data, "the problem")
    model = read_model(fields.raw("model"))
    n = model.n
    return Problem(
        model=model,
        quadratic=_quadratic(fields.raw("quadratic"), n) if fields.has("quadratic") else None,
        quadratic_rows=tuple(
            _quadratic_row(part, n) for part in fields.items("quadratic_rows", MANY)
        ),
        indicators=tuple(_indicator(part, n) for part in fields.items("indicators", MANY)),
        sos=tuple(_sos(part, n) for part in fields.items("sos", MANY)),
        general=tuple(_general(part, n) for part in fields.items("general", MANY)),
        objectives=tuple(_objective(part, n) for part in fields.items("objectives", 1000)),
        start=fields.maybe("start", fields.floats, n, False, True),
        settings=_settings(fields.raw("settings")),
    )


def read_model(data: Any) -> Model:
    """The model in an unpacked message; raises BadMessage."""
    fields = Fields(data, "the model")
    col_names, row_names = fields.texts("col_names"), fields.texts("row_names")
    n, m = len(col_names), len(row_names)
    starts = fields.numbers("starts", m + 1, 2**31 - 1)
    index = fields.numbers("index", None, n)
    if starts[0] != 0 or starts[-1] != len(index) or (np.diff(starts) < 0).any():
        raise BadMessage("the rows' starts of the model do not fit its entries")
    model = Model(
        name=fields.text("name"),
        maximize=fields.flag("maximize"),
        objective=fields.floats("objective", n),
        offset=fields.number("offset"),
        col_names=col_names,
        col_lower=fields.floats("col_lower", n, finite=False),
        col_upper=fields.floats("col_upper", n, finite=False),
        types=fields.codes("types", n, 5),
        row_names=row_names,
        row_lower=fields.floats("row_lower", m, finite=False),
        row_upper=fields.floats("row_upper", m, finite=False),
        starts=starts,
        index=index,
        value=fields.floats("value", len(index)),
    )
    for lower, upper in ((model.col_lower, model.col_upper), (model.row_lower, model.row_upper)):
        if (lower == INF).any() or (upper == -INF).any():
            raise BadMessage("a lower side of the model is +inf, or an upper one -inf")
    if _repeats(model):
        raise BadMessage("a row of the model has a column twice")
    return model


def _repeats(model: Model) -> bool:
    if model.nonzeros < 2:
        return False
    rows = model.entry_rows
    if not ((np.diff(model.index) <= 0) & (np.diff(rows) == 0)).any():
        return False
    keys = rows.astype(np.int64) * model.n + model.index
    keys.sort()
    return bool((np.diff(keys) == 0).any())


def _quadratic(data: Any, n: int) -> Quadratic:
    fields = Fields(data, "a quadratic part")
    value = fields.floats("value")
    first, second = (fields.numbers(name, len(value), n) for name in ("first", "second"))
    return Quadratic(first, second, value)


def _quadratic_row(data: Any, n: int) -> QuadraticRow:
    fields = Fields(data, "a quadratic row")
    value = fields.floats("value")
    return QuadraticRow(
        fields.text("name"),
        fields.numbers("index", len(value), n, unique=True),
        value,
        _quadratic(fields.raw("quadratic"), n),
        *read_sides(fields),
    )


def read_sides(fields: Fields) -> tuple[float, float]:
    """The two sides of a row; raises BadMessage."""
    lower, upper = fields.number("lower", finite=False), fields.number("upper", finite=False)
    if lower == INF or upper == -INF:
        raise BadMessage("a lower side of a row is +inf, or an upper one -inf")
    return lower, upper


def _indicator(data: Any, n: int) -> Indicator:
    fields = Fields(data, "an indicator")
    value = fields.floats("value")
    return Indicator(
        fields.text("name"),
        fields.whole("binary", 0, n - 1),
        fields.whole("active", 0, 1),
        fields.numbers("index", len(value), n, unique=True),
        value,
        *read_sides(fields),
    )


def _sos(data: Any, n: int) -> Sos:
    fields = Fields(data, "a special ordered set")
    weights = fields.floats("weights")
    index = fields.numbers("index", len(weights), n, unique=True)
    return Sos(fields.whole("kind", 1, 2), index, weights, fields.maybe("name", fields.text) or "")


def _general(data: Any, n: int) -> General:
    fields = Fields(data, "a general constraint")
    try:
        function = GeneralFunction(fields.text("function"))
    except ValueError:
        raise BadMessage("a general constraint has no known function") from None
    numbers = fields.items("numbers", MANY)
    if any(isinstance(x, bool) or not isinstance(x, int | float) for x in numbers):
        raise BadMessage("a general constraint has a constant that is no number")
    found = General(
        fields.text("name"),
        function,
        fields.whole("result", 0, n - 1),
        fields.numbers("operands", None, n),
        tuple(map(float, numbers)),
    )
    if any(value != value for value in found.numbers):
        raise BadMessage("a general constraint has a constant that is no number")
    check_general(found)
    return found


_OF_ONE = frozenset(map(GeneralFunction, ["abs", "exp", "log", "sin", "cos", "tan", "logistic"]))
_WITH_CONSTANT = frozenset(map(GeneralFunction, ["pow", "expa", "loga"]))
_FINITE = _WITH_CONSTANT | {GeneralFunction.POLY, GeneralFunction.PWL}


def check_general(general: General) -> None:
    """Raise BadMessage where a general constraint lacks operands or constants."""
    operands, numbers, function = len(general.operands), general.numbers, general.function
    if function in _OF_ONE | _WITH_CONSTANT:
        fits = (operands, len(numbers)) == (1, int(function in _WITH_CONSTANT))
    elif function is GeneralFunction.PWL:
        points = numbers[::2]
        fits = operands == 1 and len(numbers) % 2 == 0 and len(numbers) >= 2
        fits = fits and all(a <= b for a, b in pairwise(points))
    elif function is GeneralFunction.POLY:
        fits = operands == 1 and len(numbers) >= 1
    elif function is GeneralFunction.NORM:
        fits = operands >= 1 and len(numbers) == 1 and numbers[0] in (0, 1, 2, INF)
    elif function in (GeneralFunction.MAX, GeneralFunction.MIN):
        fits = operands + len(numbers) >= 1 and len(numbers) <= 1
    else:
        fits = not numbers
    if function in _FINITE:
        fits = fits and all(map(math.isfinite, numbers))
    if function in (GeneralFunction.EXPA, GeneralFunction.LOGA):
        fits = (
            fits and numbers[0] > 0 and not (function is GeneralFunction.LOGA and numbers[0] == 1)
        )
    if not fits:
        raise BadMessage(f"general constraint '{general.name}' does not fit '{function}'")


def _objective(data: Any, n: int) -> LinearObjective:
    fields = Fields(data, "an objective")
    return LinearObjective(
        fields.text("name"),
        fields.whole("priority"),
        fields.number("weight"),
        fields.number("abs_tol"),
        fields.number("rel_tol"),
        fields.floats("coefficients", n),
        fields.number("offset"),
    )


_LIMITS = """
    time_limit mip_gap mip_gap_abs feasibility_tol integrality_tol node_limit cutoff best_obj_stop
    pool_gap pool_gap_abs
"""


def _settings(data: Any) -> Settings:
    fields = Fields(data, "the settings")
    found = {name: fields.maybe(name, fields.number, False) for name in _LIMITS.split()}
    finite = {name: v for name, v in found.items() if v is not None and abs(v) < 1e100}
    return Settings(
        **finite,
        solution_limit=fields.maybe("solution_limit", fields.whole, 0, 2**31 - 1),
        pool_solutions=fields.whole("pool_solutions", 0, 2**31 - 1),
        presolve=fields.flag("presolve"),
        relaxed=fields.flag("relaxed"),
        lazy=fields.flag("lazy"),
        seed=fields.whole("seed", 0, 2**31 - 1),
        pool_mode=fields.whole("pool_mode", 0, 2),
        ignored=fields.texts("ignored"),
    )


def write_result(result: SolveResult) -> bytes:
    """A result as a message."""
    return pack({"kind": "result", "result": result})


def read_result(data: Any) -> SolveResult:
    """The result in an unpacked message; raises BadMessage."""
    fields = Fields(data, "the result")

    pool = []
    for part in fields.items("pool", MANY):
        if not (isinstance(part, list) and len(part) == 2 and isinstance(part[1], np.ndarray)):
            raise BadMessage("the result's pool is damaged")
        pool.append((float(part[0]), np.asarray(part[1], np.float64)))
    return SolveResult(
        status=Status(fields.text("status")),
        objective=fields.maybe("objective", fields.number, False, True),
        bound=fields.maybe("bound", fields.number, False, True),
        x=fields.maybe("x", fields.floats, *ANY),
        row_dual=fields.maybe("row_dual", fields.floats, *ANY),
        col_dual=fields.maybe("col_dual", fields.floats, *ANY),
        nodes=fields.whole("nodes"),
        iterations=fields.whole("iterations"),
        seconds=fields.number("seconds"),
        pool=tuple(pool),
        solver=fields.text("solver"),
        detail=fields.text("detail"),
        cached=fields.flag("cached"),
    )


def read_event(data: Any) -> Event:
    """The event in an unpacked message; raises BadMessage."""
    fields = Fields(data, "the event")
    where = fields.text("where")
    if where not in WHERES:
        raise BadMessage("the event has no known place")
    return Event(
        where,
        fields.maybe("x", fields.floats, *ANY),
        fields.maybe("objective", fields.number),
        fields.maybe("best", fields.number),
        fields.maybe("bound", fields.number),
        fields.whole("nodes"),
        fields.number("seconds"),
        fields.text("message"),
    )


def read_reply(data: Any, n: int) -> CallbackReply:
    """The callback's reply in an unpacked message, for n columns; raises BadMessage."""
    fields = Fields(data, "the callback's reply")
    rows = []
    for part in fields.items("lazy", MANY):
        row = Fields(part, "a lazy constraint")
        value = row.floats("value")
        rows.append(
            LazyConstraint(
                row.numbers("index", len(value), n, unique=True), value, *read_sides(row)
            )
        )
    solution = fields.maybe("solution", fields.floats, n, False, True)
    return CallbackReply(tuple(rows), fields.flag("terminate"), solution)


def read_iis(data: Any) -> Iis:
    """The IIS in an unpacked message; raises BadMessage."""
    fields = Fields(data, "the infeasible subsystem")
    try:
        rows, bounds = (
            tuple((int(place), Side(side)) for place, side in fields.items(name, MANY))
            for name in ("rows", "bounds")
        )
        parts = tuple((str(field), int(k)) for field, k in fields.items("parts", MANY))
    except (TypeError, ValueError):
        raise BadMessage("the infeasible subsystem is damaged") from None
    flags = fields.flag("integral"), fields.flag("proven")
    return Iis(rows, bounds, *flags, fields.text("method"), parts)


READERS: Mapping[str, Callable[[Any], Any]] = {"iis": read_iis, "analysis": read_analysis}
"""What reads the answers to questions that are no solves, by their kinds."""
