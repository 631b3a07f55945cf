"""HiGHS, adapted: its options, one solve of a problem, and what it said."""

import dataclasses
import math
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

import highspy
import numpy as np

from ordojo.core.errors import SolverError
from ordojo.milp.model import ENDLESS, INF, Floats, Ints, Model, VarType
from ordojo.milp.tolerances import FEASIBILITY, FINE, FINEST, LEAST_TERM, OBJECTIVE, PRIMAL
from ordojo.solvers.answers import SolveResult, Status
from ordojo.solvers.problem import (
    MIP,
    MIPSOL,
    Event,
    Problem,
    Quadratic,
    Settings,
    evaluate,
    snapped,
    without_objective,
)
from ordojo.solvers.residuals import Residuals
from ordojo.solvers.search import Search
from ordojo.solvers.tightening import tightened

OPTIMAL, INFEASIBLE, UNBOUNDED_OR_INFEASIBLE, UNBOUNDED, TIME_LIMIT = 7, 8, 9, 10, 13
"""HiGHS's model statuses, as numbers."""

_ROWWISE = int(highspy.MatrixFormat.kRowwise)
_ERROR = int(highspy.HighsStatus.kError)


def highs(settings: dict[str, object]) -> Any:
    """A silent HiGHS with these options."""
    found: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    for name, value in settings.items():
        found.setOptionValue(name, value)
    return found


def pass_model(h: Any, model: Model, cost: Floats, low: Floats, up: Floats, types: Ints) -> None:
    """Give HiGHS a model with this cost (n), column bounds (n) and integrality codes (n).

    Raises SolverError where HiGHS refuses it.
    """
    sense, sides = -1 if model.maximize else 1, (model.row_lower, model.row_upper)
    sizes, matrix = (model.n, model.m, len(model.index)), (model.starts, model.index, model.value)
    status = h.passModel(
        *sizes, _ROWWISE, sense, model.offset, cost, low, up, *sides, *matrix, types
    )
    if int(status) == _ERROR:
        raise SolverError(
            f"HiGHS refuses the model '{model.name}'; look for coefficients above 1e15 in size"
        )


TURNED = 0.1
"""The share of a time limit that is left where HiGHS or SCIP ends at it before its time.

They look at the machine's clock, which may be turned while they run; we at one that is not. Below
this share the difference is their own coarse look, and going on would cost more than it gives.
"""


def run_until(h: Any, end: float, seconds: float) -> int:
    """Run HiGHS, whose limit of `seconds` ends at `end` (of `perf_counter`); its status number.

    HiGHS measures by the machine's clock. Where that was turned meanwhile, it goes on.
    """
    h.run()
    while (code := int(h.getModelStatus())) == TIME_LIMIT:
        left = end - perf_counter()
        if left <= TURNED * seconds:
            break
        h.setOptionValue("time_limit", h.getRunTime() + left)
        h.run()
    return code


FINE_DUAL, USUAL_DUAL = FINEST, FEASIBILITY
"""HiGHS's least and usual tolerance of a dual. With the usual one a row whose terms are of a
million can be left a unit from where it ought to be, and the objective with it."""


def sharpened(h: Any, code: int, run: Callable[[], int]) -> int:
    """How a linear program ended: as it did, or where duals have a wrong sign as it now does."""
    if h.getInfoValue("max_dual_infeasibility")[1] <= FINE_DUAL:
        return code
    h.setOptionValue("dual_feasibility_tolerance", FINE_DUAL)
    code = run()
    h.setOptionValue("dual_feasibility_tolerance", USUAL_DUAL)
    return code


MIP_GAP = 1e-4
"""The relative gap where the program asks for none, as in Gurobi."""


def options(settings: Settings, search: Search) -> dict[str, object]:
    """HiGHS's options for what the program asked for."""
    gap = MIP_GAP if settings.mip_gap is None else max(settings.mip_gap, 0.0)
    integral, primal = settings.integrality_tol, settings.feasibility_tol
    nodes = settings.node_limit
    asked: dict[str, object | None] = {
        "output_flag": False,
        "log_to_console": False,
        "threads": 1,
        "random_seed": settings.seed % (2**31 - 1),
        "time_limit": max(search.left, 0.001),
        "presolve": None if settings.presolve else "off",
        "mip_rel_gap": gap,
        "mip_abs_gap": None if settings.mip_gap_abs is None else max(settings.mip_gap_abs, FINE),
        "mip_feasibility_tolerance": integral and max(integral, FINEST),
        "mip_max_nodes": None if nodes is None or nodes > 2**31 - 2 else max(int(nodes), 0),
        "mip_max_improving_sols": settings.solution_limit or None,
        "objective_target": settings.best_obj_stop,
        "small_matrix_value": LEAST_TERM,
        "primal_feasibility_tolerance": None if primal is None else max(primal, FINEST),
    }
    return {name: value for name, value in asked.items() if value is not None}


def cut_off(h: Any, model: Model, settings: Settings) -> bool:
    """Add the objective as a row where the program asked for a cutoff."""
    if settings.cutoff is None or not math.isfinite(settings.cutoff):
        return False
    used = np.flatnonzero(model.objective).astype(np.int32)
    side = settings.cutoff - model.offset
    low, up = (side, INF) if model.maximize else (-INF, side)
    h.addRow(low, up, len(used), used, model.objective[used])
    return True


def pass_hessian(h: Any, quadratic: Quadratic, n: int) -> None:
    """Give HiGHS the quadratic part: 1/2 x'Qx, lower triangle by columns."""
    rows = np.maximum(quadratic.first, quadratic.second).astype(np.int64)
    cols = np.minimum(quadratic.first, quadratic.second).astype(np.int64)
    keys, places = np.unique(cols * n + rows, return_inverse=True)
    values = np.bincount(places, quadratic.value, len(keys))
    found_cols, found_rows = keys // n, keys % n
    values = np.where(found_cols == found_rows, 2 * values, values)
    starts = np.zeros(n + 1, np.int32)
    starts[1:] = np.cumsum(np.bincount(found_cols, minlength=n))
    triangular = int(highspy.HessianFormat.kTriangular)
    status = h.passHessian(n, len(keys), triangular, starts, found_rows.astype(np.int32), values)
    if int(status) == _ERROR:
        raise SolverError("HiGHS refuses the quadratic objective; look for entries above 1e15")


_CODES = np.array([0, 1, 1, 2, 3], np.int32)
_TARGET = int(highspy.HighsModelStatus.kObjectiveTarget)
ENDINGS = {
    OPTIMAL: Status.OPTIMAL,
    INFEASIBLE: Status.INFEASIBLE,
    UNBOUNDED: Status.UNBOUNDED,
    UNBOUNDED_OR_INFEASIBLE: Status.INFEASIBLE_OR_UNBOUNDED,
    _TARGET: Status.SOLUTION_LIMIT,
    int(highspy.HighsModelStatus.kSolutionLimit): Status.SOLUTION_LIMIT,
    TIME_LIMIT: Status.TIME_LIMIT,
    int(highspy.HighsModelStatus.kInterrupt): Status.INTERRUPTED,
}
"""What each of these is to us."""
TARGET_REACHED = "the objective reached the target that was set"
SEMI_LIMIT = 1e5
"""HiGHS cuts off semicontinuous columns above this upper bound; those that reach further
are rewritten with a binary."""


def trivial(model: Model, relaxed: bool = False) -> SolveResult | None:
    """The result of a model that needs no solver: crossed sides, or no columns."""
    low, up = model.hull if relaxed else model.whole_bounds
    if (model.row_lower > model.row_upper).any() or (low > up)[~model.semi].any():
        return SolveResult(Status.INFEASIBLE)
    if model.n:
        return None
    if (model.row_lower > 0).any() or (model.row_upper < 0).any():
        return SolveResult(Status.INFEASIBLE)
    empty = np.zeros(0)
    return SolveResult(Status.OPTIMAL, model.offset, model.offset, empty, np.zeros(model.m), empty)


def solve(problem: Problem, search: Search) -> SolveResult:
    """Solve a problem that is linear, or has a convex quadratic objective and no integers.

    Raises SolverError where HiGHS refuses the model itself.
    """
    found = trivial(problem.model, problem.settings.relaxed)
    if found is None:
        found = _Run(problem, search).result()
    return found._replace(solver="highs", seconds=search.seconds)


EXACT = Settings(mip_gap=FINE, mip_gap_abs=FINE)
"""The gap, relative and absolute, of an optimum that certifies something: HiGHS's own of 1e-4 would
let another point pass for the best. Below it only time is spent, as doubles end there."""
EXACT_WHOLE = EXACT._replace(feasibility_tol=FINE)
"""`EXACT` for a problem with parts beyond linear: SCIP's own 1e-6 of a row would come back in every
number that is told, as in every amount of a repair, and make that too small."""
LEAST = Settings(mip_gap=0.0, feasibility_tol=FINE)
"""For the least moves of sides and the checks of repairs, where parts are beyond linear: no gap at
all, as what is called the least must be."""

FINE_WHOLE = FINE
"""How far from whole a number may be where 1e-6, HiGHS's own, let a huge constant hold what it
should not. Asked of every model it would keep some from ever ending."""

HUGE = 1e6
"""A coefficient from which on a number within 1e-6 of whole moves its row by a whole unit."""


DEEP = 20_000
"""Nodes of a search over whole numbers without end, which may dig for ever: HiGHS then puts away
for as long as it dug, deaf to its time limit."""


def is_endless(model: Model) -> bool:
    """Whether a column of whole numbers has no end, by its bounds and those that rows imply."""

    def ends(low: Floats, up: Floats) -> bool:
        return bool(np.isfinite([low[model.whole], up[model.whole]]).all())

    return not ends(*model.effective_bounds) and not ends(*tightened(model))


def solve_exactly(model: Model, seconds: float, nodes: int | None = None) -> SolveResult:
    """The optimum itself of a linear model, after at most so many nodes of HiGHS's search.

    Where whole numbers have no end and none are given it is `DEEP`, and twice as many each time
    that the search can begin again and still end in its time.
    Its rows hold with whole numbers whole: where they do not, the rest is solved again beside
    these, and without a point there the ending is NUMERIC. Raises SolverError where HiGHS refuses
    the model.
    """
    search = Search(seconds)
    whole = model.whole
    if nodes is None and whole.any() and is_endless(model):
        cap, took = DEEP, 0.0
        while True:
            found = solve_exactly(model, search.left, cap)
            took = search.seconds - took
            if found.status != Status.NODE_LIMIT:
                return found._replace(seconds=search.seconds)
            # Twice the nodes may take four times as long, with putting away.
            if 4 * took > search.left:
                return found._replace(status=Status.TIME_LIMIT, seconds=search.seconds)
            cap, took = 2 * cap, search.seconds
    huge = bool(model.nonzeros) and float(np.abs(model.value).max()) >= HUGE
    for tolerance in (FINE_WHOLE,) if huge else (None, FINE_WHOLE):
        settings = EXACT._replace(node_limit=nodes, integrality_tol=tolerance)
        found = solve(Problem(model, settings=settings), search)
        if found.x is None or not whole.any():
            return found
        x = np.where(whole, np.rint(found.x), found.x)
        if not is_broken(model, x):
            return found._replace(x=x)
    rest = dataclasses.replace(
        model,
        types=np.where(whole, VarType.CONTINUOUS, model.types).astype(np.uint8),
        col_lower=np.where(whole, x, model.col_lower),
        col_upper=np.where(whole, x, model.col_upper),
    )
    again = solve(Problem(rest, settings=settings), Search(search.left))
    off = 0.0 if again.objective is None else abs(again.objective - (found.objective or 0.0))
    if again.x is None or is_broken(model, again.x):
        again = SolveResult(Status.NUMERIC, detail="no point holds with whole numbers whole")
    elif found.status != Status.OPTIMAL or off > OBJECTIVE * max(1.0, abs(again.objective or 0.0)):
        ending = Status.NUMERIC if found.status == Status.OPTIMAL else found.status
        again = again._replace(status=ending)
    return again._replace(bound=found.bound, row_dual=None, col_dual=None)


def is_broken(
    model: Model,
    x: Floats,
    lower: Sequence[float] | Floats | None = None,
    upper: Sequence[float] | Floats | None = None,
) -> bool:
    """Whether a row does not hold at a point (n), between other sides (m) than its own if given.

    At whole numbers a row of ordinary numbers holds; one that a huge constant holds may not.
    """
    return bool((Residuals(model, x, lower, upper).relative > PRIMAL).any())


class _Run:
    def __init__(self, problem: Problem, search: Search) -> None:
        model, settings = problem.model, problem.settings
        self._problem, self._search = problem, search
        types = np.zeros(model.n, np.int32) if settings.relaxed else _CODES[model.types]
        self._is_mip = bool(types.any())
        self._h = h = highs(options(settings, search))
        # Between broken bounds of whole numbers HiGHS's presolve loses points, and the best one.
        low, up = model.hull if settings.relaxed else model.whole_bounds
        pass_model(h, model, model.objective, low, up, types)
        if problem.quadratic is not None:
            pass_hessian(h, problem.quadratic, model.n)
        self._cut_off = cut_off(h, model, settings)
        if problem.start is not None and self._is_mip:
            given = np.flatnonzero(~np.isnan(problem.start)).astype(np.int32)
            if len(given):
                h.setSolution(len(given), given, problem.start[given])
        self._proposed: Floats | None = None
        self._solutions: list[tuple[float, Floats]] = []
        if self._is_mip:
            self._listen()

    def _listen(self) -> None:
        h, search = self._h, self._search
        if search.callback is not None:
            h.cbMipInterrupt.subscribe(self._tick)
            h.cbMipUserSolution.subscribe(self._propose)
        if search.callback is not None or self._problem.settings.pool_solutions > 1:
            h.cbMipImprovingSolution.subscribe(self._improved)

    def _tick(self, event: Any) -> None:
        out, search = event.data_out, self._search
        best, bound = float(out.mip_primal_bound), float(out.mip_dual_bound)
        if search.due():
            self._ask(event, search.event(MIP, best, bound, int(out.mip_node_count)))
        elif search.terminated:
            event.interrupt()

    def _ask(self, event: Any, asked: Event) -> None:
        """Let the callback answer: with a point that is tried, or with the end of the solve."""
        found = self._search.ask(asked)
        self._proposed = found.solution if found.solution is not None else self._proposed
        if self._search.terminated:
            event.interrupt()

    def _improved(self, event: Any) -> None:
        out, search = event.data_out, self._search
        value = float(out.objective_function_value)
        # HiGHS adds columns of its own behind semicontinuous ones.
        x = np.array(out.mip_solution)[: self._problem.model.n]
        bound = float(out.mip_dual_bound)
        self._solutions.append((value, x))
        at = (value, bound, int(out.mip_node_count))
        self._ask(event, search.event(MIPSOL, *at, x, value))

    def _propose(self, event: Any) -> None:
        """Hand over the point that the callback gave."""
        given, self._proposed = self._proposed, None
        if given is not None:
            places = np.flatnonzero(~np.isnan(given)).astype(np.int32)
            event.data_in.setSolution(places, given[places])

    def result(self) -> SolveResult:
        """Run to the end, and read everything off."""
        h, model, search = self._h, self._problem.model, self._search

        def run() -> int:
            return run_until(h, perf_counter() + search.left, search.left)

        code = run()
        if not self._is_mip:
            code = sharpened(h, code, run)
        ending = ENDINGS.get(code, Status.NUMERIC)
        info = h.getInfo()
        if ending in (Status.INFEASIBLE_OR_UNBOUNDED, Status.UNBOUNDED):
            ending = self._which(ending)
        if ending == Status.INFEASIBLE and self._cut_off:
            ending = Status.CUTOFF
        limit = self._problem.settings.node_limit
        if ending == Status.SOLUTION_LIMIT and limit is not None and info.mip_node_count >= limit:
            ending = Status.NODE_LIMIT
        x, value = self._point(ending)
        if ending == Status.OPTIMAL and x is None:
            ending = Status.NUMERIC
        # Of semicontinuous columns alone HiGHS may make a linear program, without a search's bound.
        searched = self._is_mip and info.mip_node_count >= 0
        bound = _bound(ending, float(info.mip_dual_bound), value, searched)
        stopped = search.stopped(value, bound, x) if ending == Status.INTERRUPTED else None
        duals = h.getSolution() if not self._is_mip and x is not None else None
        good = duals is not None and duals.dual_valid
        base = stopped or SolveResult(ending, value, bound, x)
        counts = info.simplex_iteration_count, info.ipm_iteration_count
        return base._replace(
            row_dual=np.array(duals.row_dual)[: model.m] if good and duals else None,
            col_dual=np.array(duals.col_dual) if good and duals else None,
            nodes=max(int(info.mip_node_count), 0),
            iterations=sum(max(int(count), 0) for count in counts),
            pool=self._pool(x, value),
            detail=base.detail or (TARGET_REACHED if code == _TARGET else ""),
        )

    def _which(self, ending: Status) -> Status:
        """Tell infeasible from unbounded by solving without the objective."""
        if ending == Status.UNBOUNDED and not self._is_mip:
            return ending
        if not self._problem.model.objective.any() and self._problem.quadratic is None:
            # Without an objective nothing is unbounded, whatever HiGHS says of a hard model.
            both = ending == Status.INFEASIBLE_OR_UNBOUNDED
            return Status.INFEASIBLE if both else Status.NUMERIC
        again = solve(without_objective(self._problem), Search(self._search.left)).status
        known = {Status.OPTIMAL: Status.UNBOUNDED, Status.INFEASIBLE: Status.INFEASIBLE}
        return known.get(again, ending)

    def _point(self, ending: Status) -> tuple[Floats | None, float | None]:
        if ending in (Status.INFEASIBLE, Status.UNBOUNDED, Status.INFEASIBLE_OR_UNBOUNDED):
            return None, None
        found = self._h.getSolution()
        if not found.value_valid or self._h.getInfo().primal_solution_status != 2:
            return None, None
        x = snapped(np.array(found.col_value), self._problem.model)
        return x, evaluate(self._problem, x)

    def _pool(self, x: Floats | None, value: float | None) -> tuple[tuple[float, Floats], ...]:
        wanted = self._problem.settings.pool_solutions
        if x is None or value is None or wanted <= 1:
            return ()
        model = self._problem.model
        sign = -1.0 if model.maximize else 1.0
        held = {x.tobytes(): (value, x)}
        for _, other in self._solutions:
            point = snapped(other, model)
            held.setdefault(point.tobytes(), (evaluate(self._problem, point), point))
        return tuple(sorted(held.values(), key=lambda pair: sign * pair[0])[:wanted])


def _bound(ending: Status, dual: float, value: float | None, is_mip: bool) -> float | None:
    if ending == Status.OPTIMAL and not is_mip:
        return value
    if ending in (Status.INFEASIBLE, Status.UNBOUNDED, Status.INFEASIBLE_OR_UNBOUNDED):
        return None
    return dual if is_mip and abs(dual) < ENDLESS else None
