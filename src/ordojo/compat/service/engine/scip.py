"""SCIP: indicators, ordered sets, quadratic and smooth functions, lazy constraints."""

import dataclasses
from functools import cache
from time import perf_counter
from typing import Any

import numpy as np

from ordojo.compat.problem import Ending, Problem, Result
from ordojo.compat.service.engine.highs import TARGET_REACHED, trivial
from ordojo.compat.service.engine.lower import lowered
from ordojo.compat.service.engine.points import evaluate, snapped
from ordojo.compat.service.engine.scip_model import ScipModel
from ordojo.compat.service.engine.search import Search
from ordojo.milp.model import Floats
from ordojo.solvers.scip import run_until

_ENDINGS = {
    "optimal": Ending.OPTIMAL,
    "gaplimit": Ending.OPTIMAL,
    "infeasible": Ending.INFEASIBLE,
    "unbounded": Ending.UNBOUNDED,
    "inforunbd": Ending.INFEASIBLE_OR_UNBOUNDED,
    "timelimit": Ending.TIME_LIMIT,
    "nodelimit": Ending.NODE_LIMIT,
    "totalnodelimit": Ending.NODE_LIMIT,
    "sollimit": Ending.SOLUTION_LIMIT,
    "bestsollimit": Ending.SOLUTION_LIMIT,
    "primallimit": Ending.SOLUTION_LIMIT,
    "userinterrupt": Ending.INTERRUPTED,
}


@cache
def installed() -> bool:
    """Whether pyscipopt is here."""
    try:
        import pyscipopt  # noqa: F401 (whether it can be loaded is the question)
    except ImportError:
        return False
    return True


def solve(problem: Problem, search: Search) -> Result:
    """Solve any problem that has one objective."""
    n = problem.model.n
    found = trivial(problem.model, problem.settings.relaxed) if _plain(problem) else None
    if found is None:
        found = _Run(lowered(problem), search).result()
    if found.x is not None and len(found.x) > n:
        pool = tuple((value, x[:n]) for value, x in found.pool)
        found = dataclasses.replace(found, x=found.x[:n], pool=pool)
    return dataclasses.replace(found, solver="scip", seconds=search.seconds)


def _plain(problem: Problem) -> bool:
    return problem.is_linear or problem.model.n > 0


class _Run(ScipModel):
    def __init__(self, problem: Problem, search: Search) -> None:
        super().__init__(problem)
        self._search = search
        self._set()
        self.write()
        if search.callback is not None:
            from ordojo.compat.service.engine.scip_hooks import attach

            attach(self.scip, self.columns, problem, search)

    def _set(self) -> None:
        settings, search = self._problem.settings, self._search
        asked = {
            "limits/time": max(search.left, 0.001),
            "limits/gap": 1e-4 if settings.mip_gap is None else max(settings.mip_gap, 0.0),
            "limits/absgap": settings.mip_gap_abs,
            "limits/totalnodes": settings.node_limit and int(min(settings.node_limit, 2**62)),
            "limits/solutions": settings.solution_limit or None,
            "limits/primal": settings.best_obj_stop,
            "numerics/feastol": settings.feasibility_tol
            and min(max(settings.feasibility_tol, 1e-9), 1e-3),
            "randomization/randomseedshift": settings.seed % (2**31 - 1) or None,
            "limits/maxsol": max(settings.pool_solutions, 100),
            "parallel/maxnthreads": 1,
        }
        for name, value in asked.items():
            if value is not None:
                self.scip.setParam(name, value)
        if not settings.presolve:
            self.scip.setPresolve(self._api.scip.PY_SCIP_PARAMSETTING.OFF)

    def result(self) -> Result:
        """Run to the end, and read everything off."""
        scip, search, problem = self.scip, self._search, self._problem
        status = run_until(scip, perf_counter() + search.left, search.left)
        ending = _ENDINGS.get(status, Ending.NUMERIC)
        if ending == Ending.INFEASIBLE and problem.settings.cutoff is not None:
            ending = Ending.CUTOFF
        if ending == Ending.INFEASIBLE_OR_UNBOUNDED:
            ending = self._which()
        x, value = None, None
        pool: tuple[tuple[float, Floats], ...] = ()
        bound: float | None = float(scip.getDualbound())
        if ending not in (Ending.INFEASIBLE, Ending.UNBOUNDED) and scip.getNSols():
            points = [self._point(sol) for sol in scip.getSols()]
            if problem.quadratic is not None:
                sign = -1.0 if problem.model.maximize else 1.0
                points.sort(key=lambda pair: sign * pair[0])
            value, x = points[0]
            wanted = problem.settings.pool_solutions
            pool = tuple(points[:wanted]) if wanted > 1 else ()
        elif ending in (Ending.INFEASIBLE, Ending.UNBOUNDED):
            bound = None
        if bound is not None and abs(bound) >= 1e19:
            bound = None
        stopped = search.stopped(value, bound, x) if ending == Ending.INTERRUPTED else None
        base = stopped or Result(ending, value, bound, x)
        return dataclasses.replace(
            base,
            nodes=int(scip.getNTotalNodes()),
            iterations=int(scip.getNLPIterations()),
            pool=pool,
            detail=base.detail or (TARGET_REACHED if status == "primallimit" else ""),
        )

    def _point(self, solution: Any) -> tuple[float, Floats]:
        values = [self.scip.getSolVal(solution, column) for column in self.columns]
        x = snapped(np.array(values, np.float64), self._problem.model)
        return evaluate(self._problem, x), x

    def _which(self) -> Ending:
        """Tell infeasible from unbounded by solving without the objective."""
        model = self._problem.model
        free = dataclasses.replace(
            self._problem,
            model=dataclasses.replace(model, objective=np.zeros(model.n)),
            quadratic=None,
        )
        again = _Run(free, Search(self._search.left)).result()
        if again.ending == Ending.OPTIMAL:
            return Ending.UNBOUNDED
        found = Ending.INFEASIBLE_OR_UNBOUNDED
        return Ending.INFEASIBLE if again.ending == Ending.INFEASIBLE else found
