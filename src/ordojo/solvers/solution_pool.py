"""The best points of a mixed-integer problem, as Gurobi's PoolSearchMode 2 asks for them."""

import dataclasses
from collections.abc import Callable

import numpy as np

from ordojo.milp.model import INF, Floats, VarType
from ordojo.milp.tolerances import SAME, WHOLE
from ordojo.solvers.answers import SolveResult, Status
from ordojo.solvers.problem import CallbackReply, Event, GeneralFunction, Problem, Settings
from ordojo.solvers.reformulation import Growing
from ordojo.solvers.search import Search
from ordojo.solvers.tightening import tightened

ONLY_BEST = 2
"""The search mode of the best points."""

DIGITS = 16
"""An integer of a wider range is not written in binary digits, which tolerances would blur."""

_EXPLICIT = (GeneralFunction.AND, GeneralFunction.OR)
_NO_MORE = (Status.INFEASIBLE, Status.INFEASIBLE_OR_UNBOUNDED, Status.CUTOFF)

Solver = Callable[[Problem, Search], SolveResult]


def wanted(problem: Problem) -> bool:
    """Whether the problem asks for its best points, and can have more than one."""
    settings = problem.settings
    many = settings.pool_mode == ONLY_BEST and settings.pool_solutions > 1
    switched = problem.model.is_mip or problem.sos or problem.general
    return bool(many and switched and not settings.relaxed)


def solve(problem: Problem, search: Search, one: Solver) -> SolveResult:
    """Solve by `one` again and again, each time without the integer points found before.

    The first point is the optimum, proven without a gap. The ending is that of the solve which
    stopped short, OPTIMAL where the pool is complete. `Status.UNSUPPORTED` where points differ by
    more than the values of integer columns.
    """
    if lacking := _lacking(problem):
        detail = f"PoolSearchMode=2 of a model with {lacking} is not supported by ordojo; take 1"
        return SolveResult(Status.UNSUPPORTED, detail=detail)
    settings = problem.settings._replace(mip_gap=0.0, mip_gap_abs=None, pool_mode=0, pool_gap=None)
    found = one(dataclasses.replace(problem, settings=settings), search)
    if found.status != Status.OPTIMAL or found.x is None or found.objective is None:
        return found
    space = _Space(problem)
    pool = [(found.objective, found.x)]
    ending, nodes, iterations = Status.OPTIMAL, found.nodes, found.iterations
    seen = {space.key(found.x)}
    limit = problem.settings.solution_limit or problem.settings.pool_solutions
    while len(pool) < min(limit, problem.settings.pool_solutions) and space.exclude(pool[-1][1]):
        left = None if settings.node_limit is None else max(settings.node_limit - nodes, 0.0)
        later = search.again(_shortened(search, problem.model.n))
        part = settings._replace(
            node_limit=left, pool_solutions=1, solution_limit=None, best_obj_stop=None
        )
        more = one(space.rest(part), later)
        search.error, search.terminated = later.error, later.terminated
        nodes, iterations = nodes + more.nodes, iterations + more.iterations
        if more.status == Status.UNSUPPORTED:
            return more
        if more.status in _NO_MORE:
            break
        ending = more.status
        if more.x is None or more.objective is None:
            break
        if space.key(more.x) in seen:
            return SolveResult(Status.NUMERIC, detail="a solution that was excluded came back")
        seen.add(space.key(more.x))
        pool.append((more.objective, more.x[: problem.model.n]))
        if ending != Status.OPTIMAL or not _near(problem, pool[0][0], pool[-1][0]):
            break
    if ending == Status.OPTIMAL and problem.settings.solution_limit == len(pool):
        ending = Status.SOLUTION_LIMIT
    return found._replace(status=ending, nodes=nodes, iterations=iterations, pool=tuple(pool))


def within_gap(problem: Problem, found: SolveResult) -> SolveResult:
    """The result without what of its pool is worse than the gaps allow."""
    if not found.pool:
        return found
    best = found.pool[0][0]
    kept = tuple(pair for pair in found.pool if _near(problem, best, pair[0]))
    return found._replace(pool=kept)


def _near(problem: Problem, best: float, value: float) -> bool:
    settings, off = problem.settings, abs(value - best)
    slack = SAME * max(1.0, abs(best))  # rounding of a sum: ties of the best belong to it
    relative = INF if settings.pool_gap is None else settings.pool_gap * abs(best)
    absolute = INF if settings.pool_gap_abs is None else settings.pool_gap_abs
    return off <= min(relative, absolute) + slack


def _lacking(problem: Problem) -> str:
    """What makes points differ for Gurobi although their integer columns are the same.

    It gives such a part binaries of its own, and counts a point for each of their values.
    """
    if problem.sos:
        return "special ordered sets"
    if problem.indicators:
        return "indicator constraints"
    for general in problem.general:
        if general.function not in _EXPLICIT:
            return f"'{general.function}' constraints"
    if (problem.model.types == VarType.SEMICONTINUOUS).any():
        return "semicontinuous variables"
    return ""


def _shortened(search: Search, n: int) -> Callable[[Event], CallbackReply] | None:
    """The callback, which is shown the problem's own n columns only."""
    asked = search.callback
    if asked is None:
        return None

    def ask(event: Event) -> CallbackReply:
        x = event.x if event.x is None else event.x[:n]
        return asked(dataclasses.replace(event, x=x))

    return ask


class _Space:
    """What is left of a problem's integer points.

    Each integer column is written by binaries: itself where it has two values, else the digits of
    its distance to its lower bound. Where it has no bounds, or is too wide, a cut gets two
    binaries of its own that say whether the column is above or below the point.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        model = problem.model
        self._whole = np.flatnonzero(model.whole)
        low, up = tightened(model)
        # A bound that is whole but for a solver's tolerance is that whole number.
        self._low = np.ceil(low - WHOLE)
        self._spread = np.floor(up + WHOLE) - self._low
        self._grown = Growing(problem)
        self._digits: dict[int, list[int]] = {}
        for j in self._whole.tolist():
            if 1 < self._spread[j] < 2**DIGITS:
                digits = [self._binary() for _ in range(int(self._spread[j]).bit_length())]
                terms = {digit: -float(1 << k) for k, digit in enumerate(digits)}
                side = float(self._low[j])
                self._grown.row({j: 1.0} | terms, side, side)
                self._digits[j] = digits

    def _binary(self) -> int:
        return self._grown.column(0, 1, VarType.BINARY)

    def key(self, x: Floats) -> bytes:
        """The integers of a point."""
        return (np.rint(x[self._whole]) + 0.0).tobytes()

    def exclude(self, x: Floats) -> bool:
        """Cut a point off; False where it was the only one that there could be."""
        grown = self._grown
        terms: dict[int, float] = {}
        side = 1.0
        for j in self._whole.tolist():
            value, low = float(np.rint(x[j])), float(self._low[j])
            if self._spread[j] <= 0:
                continue
            if self._spread[j] == 1:
                side += _differs(terms, j, value > low, low)
            elif j in self._digits:
                for k, digit in enumerate(self._digits[j]):
                    side += _differs(terms, digit, bool(int(value - low) >> k & 1), 0.0)
            else:
                for lower, upper in ((value + 1, INF), (-INF, value - 1)):
                    switch = self._binary()
                    terms[switch] = 1.0
                    grown.label = f"#pool{switch}"
                    grown.when(switch, 1, {j: 1.0}, lower, upper)
        grown.label = ""
        grown.row(terms, side, INF)
        return bool(terms)

    def rest(self, settings: Settings) -> Problem:
        """The problem over the points that are left."""
        general = self._problem.general
        return dataclasses.replace(
            self._grown.built(), general=general, start=None, settings=settings
        )


def _differs(terms: dict[int, float], column: int, is_upper: bool, low: float) -> float:
    """Add how far a column is from the value that it had, low or low + 1; the constant's share."""
    terms[column] = -1.0 if is_upper else 1.0
    return -(low + 1) if is_upper else low
