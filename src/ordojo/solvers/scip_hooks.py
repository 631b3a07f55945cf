"""What SCIP tells while it runs: new points, bounds, and the lazy constraints that it must ask for.

Imported only where pyscipopt is installed, since the hooks are subclasses of its own.
"""

import dataclasses
from typing import Any

import numpy as np
from pyscipopt import Conshdlr, Eventhdlr, quicksum
from pyscipopt.scip import PY_SCIP_EVENTTYPE as SCIP_EVENTTYPE
from pyscipopt.scip import PY_SCIP_RESULT as SCIP_RESULT

from ordojo.milp.model import INF, Floats
from ordojo.solvers import highs_model
from ordojo.solvers.problem import MIP, MIPNODE, MIPSOL, Problem, Settings, evaluate
from ordojo.solvers.search import Search

COMPLETING = 1.0
"""Seconds for completing a proposed point: the search waits, and goes on without it."""
_LAST = -100_000_000
"""The program sees only points that break none of its own rows: these are checked before."""
_ASKED = SCIP_EVENTTYPE.BESTSOLFOUND | SCIP_EVENTTYPE.NODESOLVED


def attach(scip: Any, columns: list[Any], problem: Problem, search: Search) -> None:
    """Let the program's callback see the search."""
    hook = _Watch(columns, problem, search)
    scip.includeEventhdlr(hook, "ordojo", "bounds and events")
    if problem.settings.lazy:
        handler = _Lazy(columns, problem, search)
        scip.includeConshdlr(
            handler,
            "ordojo-lazy",
            "lazy constraints of the program",
            enfopriority=_LAST,
            chckpriority=_LAST,
            needscons=False,
            eagerfreq=1,
        )
        # Reductions that keep one optimum only could keep one that a lazy row cuts off.
        for name in ("misc/allowstrongdualreds", "misc/allowweakdualreds"):
            scip.setParam(name, False)


class _Watch(Eventhdlr):
    def __init__(self, columns: list[Any], problem: Problem, search: Search) -> None:
        self._columns, self._problem, self._search = columns, problem, search

    def eventinit(self) -> None:
        """Ask for the events."""
        self.model.catchEvent(_ASKED, self)

    def eventexit(self) -> None:
        """Ask no more."""
        self.model.dropEvent(_ASKED, self)

    def eventexec(self, event: Any) -> None:
        """A new incumbent, or a node that is solved."""
        scip, search = self.model, self._search
        best, bound = float(scip.getPrimalbound()), float(scip.getDualbound())
        nodes = int(scip.getNTotalNodes())
        if event.getType() & SCIP_EVENTTYPE.BESTSOLFOUND:
            if not self._problem.settings.lazy:
                x = _point(scip, self._columns, scip.getBestSol())
                value = evaluate(self._problem, x)
                search.ask(search.event(MIPSOL, best, bound, nodes, x, value))
        else:
            x = _point(scip, self._columns, None)
            value = evaluate(self._problem, x)
            reply = search.ask(search.event(MIPNODE, best, bound, nodes, x, value))
            if search.due():
                search.ask(search.event(MIP, best, bound, nodes))
            if reply.solution is not None:
                self._try(reply.solution)
        if search.terminated:
            scip.interruptSolve()

    def _try(self, values: Floats) -> None:
        """Have SCIP check a proposed point; HiGHS adds, by the linear rows, what is not given."""
        given = ~np.isnan(values)
        if not given.all():
            model = self._problem.model
            low, up = np.where(given, values, (model.col_lower, model.col_upper))
            fixed = dataclasses.replace(model, col_lower=low, col_upper=up)
            settings = Settings(solution_limit=1)
            part = Problem(fixed, settings=settings)
            found = highs_model.solve(part, Search(min(self._search.left, COMPLETING))).x
            if found is None:
                return
            values = found
        solution = self.model.createSol()
        for column, value in zip(self._columns, values.tolist(), strict=True):
            self.model.setSolVal(solution, column, value)
        self.model.trySol(solution, printreason=False)


class _Lazy(Conshdlr):
    """One constraint that stands for all that the callback may add."""

    def __init__(self, columns: list[Any], problem: Problem, search: Search) -> None:
        self._columns, self._problem, self._search = columns, problem, search
        self._added: set[int] = set()

    def conscheck(self, constraints: Any, solution: Any, *asked: bool) -> dict[str, Any]:
        """Whether a point is good; asked of every candidate."""
        return {"result": self._judged(solution)}

    def consenfolp(self, constraints: Any, n_useful: int, infeasible: bool) -> dict[str, Any]:
        """Cut off the relaxation's integral point, or accept it."""
        return {"result": SCIP_RESULT.INFEASIBLE if infeasible else self._enforced()}

    def consenfops(
        self, constraints: Any, n_useful: int, infeasible: bool, objinfeasible: bool
    ) -> dict[str, Any]:
        """Cut off the pseudo solution, or accept it."""
        return self.consenfolp(constraints, n_useful, infeasible)

    def conslock(self, constraint: Any, locktype: int, nlockspos: int, nlocksneg: int) -> None:
        """Any column may be in a lazy row in either direction."""
        both = nlockspos + nlocksneg
        for column in self._columns:
            self.model.addVarLocks(column, both, both)

    def _judged(self, solution: Any) -> Any:
        scip, search = self.model, self._search
        over = search.terminated
        x = _point(scip, self._columns, solution)
        best, bound = float(scip.getPrimalbound()), float(scip.getDualbound())
        value = evaluate(self._problem, x)
        good = search.accepts(x, value, best, bound, int(scip.getNTotalNodes()))
        if search.terminated:
            scip.interruptSolve()
        return SCIP_RESULT.FEASIBLE if good and not over else SCIP_RESULT.INFEASIBLE

    def _enforced(self) -> Any:
        found = self._judged(None)
        if found == SCIP_RESULT.FEASIBLE:
            return found
        x = _point(self.model, self._columns, None)
        new = [k for k in self._search.cutting(x) if k not in self._added]
        for k in new:
            self._added.add(k)
            row = self._search.pool[k]
            body = quicksum(
                v * self._columns[j]
                for j, v in zip(row.index.tolist(), row.value.tolist(), strict=True)
            )
            if row.lower > -INF:
                self.model.addCons(body >= float(row.lower))
            if row.upper < INF:
                self.model.addCons(body <= float(row.upper))
        return SCIP_RESULT.CONSADDED if new else found


def _point(scip: Any, columns: list[Any], solution: Any) -> Floats:
    return np.array([scip.getSolVal(solution, column) for column in columns], np.float64)
