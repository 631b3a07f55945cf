"""PuLP's solvers other than those that work in a program's process: answered by the service."""

from types import ModuleType
from typing import Any

import numpy as np

from ordojo.compat.gurobipy.constants import GRB
from ordojo.compat.gurobipy.expressions import LinExpr
from ordojo.compat.gurobipy.model import Model
from ordojo.compat.gurobipy.state import problem_now
from ordojo.compat.named.common import answered, from_words, parameters

_OWN = frozenset({"HiGHS", "SCIP_PY", "GUROBI", "COPT"})
"""Those that work as they are: with highspy, with pyscipopt, and over our layers."""

_NO_SOLUTION, _OPTIMAL, _FEASIBLE, _INFEASIBLE, _UNBOUNDED = 0, 1, 2, -1, -2
"""PuLP's statuses of a solution."""

_ENDED = {
    GRB.OPTIMAL: _OPTIMAL,
    GRB.INFEASIBLE: _INFEASIBLE,
    GRB.INF_OR_UNBD: _INFEASIBLE,
    GRB.UNBOUNDED: _UNBOUNDED,
}


def answer_all(module: ModuleType) -> None:
    """Have PuLP's solver classes answered, once `pulp.apis` has been imported."""
    for kind in module._all_solvers:
        if kind.name not in _OWN:
            kind.available = lambda self: True
            kind.actualSolve = _solve
    # The same on every machine, whatever commands there are; PULP_CBC_CMD warns of its end.
    module.LpSolverDefault = module.COIN_CMD()  # type: ignore[attr-defined]


def _solve(solver: Any, problem: Any, **_: Any) -> int:
    """`actualSolve`: PuLP's status; values, prices and slacks are in the problem's own objects."""
    columns = problem.variables()
    held = getattr(problem, "_constraints", None)  # PuLP 4 makes `constraints` a method
    rows = list((problem.constraints if held is None else held).values())
    model = _built(solver, problem, columns, rows)
    model.optimize()
    ended, point = _ENDED.get(model.Status, _NO_SOLUTION), model.SolCount > 0
    if ended == _NO_SOLUTION and point:
        ended = _FEASIBLE
    # PuLP's commands leave numbers everywhere, of whatever point they ended at: here 0.
    costs = [problem.objective.get(column, 0.0) for column in columns]
    prices, reduced = _prices(model) if ended == _OPTIMAL else (None, costs)
    _fill(columns, "varValue", model.X if point else None)
    _fill(columns, "dj", reduced)
    _fill(rows, "pi", prices)
    _fill(rows, "slack", model.Slack if point else [-row.constant for row in rows])
    solver.answered = answered(solver.name, model)
    status = _OPTIMAL if ended == _FEASIBLE else ended
    problem.assignStatus(status, ended)
    return status


def _built(solver: Any, problem: Any, columns: list[Any], rows: list[Any]) -> Any:
    model = Model(str(problem.name))
    log = model._state.params.log
    log.quiet = True
    given = {**solver.optionsDict, "timeLimit": solver.timeLimit}
    limits = from_words(solver.options or ()) | parameters(given)
    for name, value in limits.items():
        model.setParam(name, value)
    if path := solver.optionsDict.get("logPath"):
        model.setParam("LogFile", str(path))
    model.setParam("LogToConsole", int(bool(solver.msg) and not path))
    log.quiet = False
    ours = {}
    for column in columns:
        low = -GRB.INFINITY if column.lowBound is None else column.lowBound
        up = GRB.INFINITY if column.upBound is None else column.upBound
        kind = GRB.INTEGER if solver.mip and column.cat == "Integer" else GRB.CONTINUOUS
        ours[column] = model.addVar(low, up, vtype=kind, name=column.name)
        if solver.optionsDict.get("warmStart") and column.varValue is not None:
            ours[column].Start = column.varValue
    for row in rows:
        left = LinExpr(list(row.values()), [ours[column] for column in row])
        sense = {-1: GRB.LESS_EQUAL, 0: GRB.EQUAL, 1: GRB.GREATER_EQUAL}[row.sense]
        model.addLConstr(left, sense, -row.constant, row.name or "")
    for kind, sets in ((GRB.SOS_TYPE1, problem.sos1), (GRB.SOS_TYPE2, problem.sos2)):
        for members in sets.values():
            model.addSOS(kind, [ours[column] for column in members], list(members.values()))
    goal = problem.objective
    model.setObjective(
        LinExpr(list(goal.values()), [ours[column] for column in goal]) + goal.constant,
        GRB.MAXIMIZE if problem.sense == -1 else GRB.MINIMIZE,
    )
    model.update()
    return model


def _prices(model: Any) -> tuple[Any, Any]:
    """Dual values and reduced costs: of the program with its whole numbers fixed, if it has some.

    None with ordered sets, which no fixed program keeps.
    """
    if model.NumSOS:
        return None, None
    if not model.IsMIP:
        return model.Pi, model.RC
    linear = problem_now(model._state).model
    from ordojo.solvers.choose import get_oracle  # loads highspy, with which OR-Tools cannot be

    found = get_oracle("highs").solve(linear.fixed_at(np.array(model.X)))
    return found.row_dual, found.col_dual


def _fill(members: list[Any], name: str, values: Any) -> None:
    for place, member in enumerate(members):
        setattr(member, name, 0.0 if values is None else float(values[place]))
