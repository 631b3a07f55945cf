"""The attributes of a gurobipy model: what they tell of it and of its solve, and what sets them."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ordojo.compat.core.assemble import merged, model_of, quadratic_of
from ordojo.compat.core.handles import Attribute, UnavailableError, known, table
from ordojo.compat.core.model import extreme
from ordojo.compat.core.store import QuadraticPart
from ordojo.compat.gurobipy import basis
from ordojo.compat.gurobipy.attribute_files import fingerprint
from ordojo.compat.gurobipy.constants import ATTRIBUTES, GRB
from ordojo.compat.gurobipy.errors import unsupported
from ordojo.compat.gurobipy.handles import TABLES, start_name
from ordojo.compat.gurobipy.state import (
    gap,
    goal_at,
    goal_read,
    is_convex,
    later_of_goal,
    objective_values,
)
from ordojo.milp.model import VarType


def objective(state: Any) -> float:
    """The objective of the solution, or what stands for it."""
    result = known(state.result)
    if state.x is None:
        return _without_solution(state)
    if state.several:
        return objective_values(state)[0]
    return float(known(result.objective))


def _without_solution(state: Any) -> float:
    """What a solve that a limit has stopped shows where it has no solution.

    For an unbounded MIP it is Gurobi's large number, as Gurobi has it where its presolve finds
    the ray; elsewhere Gurobi shows some point's objective there.
    """
    limited = (GRB.NODE_LIMIT, GRB.INTERRUPTED, GRB.CUTOFF)
    if state.ended in (GRB.TIME_LIMIT, GRB.WORK_LIMIT) or (state.is_mip and state.ended in limited):
        return -float("inf") if state.maximize else float("inf")
    if state.is_mip and state.ended == GRB.UNBOUNDED:
        return 1e30 if state.maximize else -1e30
    raise UnavailableError


def bound(state: Any) -> float:
    """The bound on the objective."""
    if state.result is None or state.goals:
        raise UnavailableError
    if state.is_mip and state.ended == GRB.INFEASIBLE:
        return -float("inf") if state.maximize else float("inf")
    if state.ended in (GRB.INFEASIBLE, GRB.INF_OR_UNBD, GRB.UNBOUNDED):
        raise UnavailableError
    bound = state.result.bound
    if bound is None:
        if not state.is_mip and state.x is not None:
            return objective(state)
        return float("inf") if state.maximize else -float("inf")
    return float(bound)


def mip_gap(state: Any) -> float:
    """The gap of a MIP."""
    if state.result is None or state.goals or not state.is_mip:
        raise UnavailableError
    if state.ended == GRB.UNBOUNDED:
        raise UnavailableError
    return gap(state)


def pool_bound(state: Any) -> float:
    """A bound on the solutions that are not in the pool."""
    whole = state.ended == GRB.OPTIMAL and state.is_mip and state.params["PoolSearchMode"] == 2
    if not whole or not state.result.pool:
        return bound(state)
    if len(state.result.pool) < state.params["PoolSolutions"]:
        return -float("inf") if state.maximize else float("inf")
    return float(state.result.pool[-1][0])


def pool_objective(state: Any) -> float:
    """The objective of the solution that SolutionNumber asks for."""
    if state.x is None or not state.is_mip:
        raise AttributeError("No solution available")
    return float(known(state.solution(state.params["SolutionNumber"]))[0])


def goal_value(state: Any) -> float:
    """The value of the objective that ObjNumber asks for."""
    if state.x is None:
        raise AttributeError("No solution available")
    number = int(state.params["ObjNumber"])
    if not state.several:
        raise AttributeError("No solution available")
    values = objective_values(state)
    if number >= len(values):
        raise AttributeError("Out of range for parameter value of ObjNumber")
    return values[number]


def _solved(get: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A figure that only a solve gives."""

    def guarded(state: Any) -> Any:
        known(state.result)
        return get(state)

    return guarded


def _of_goal(attribute: str, field: str, takes: str) -> Attribute:
    """An attribute of the objective that ObjNumber asks for."""

    def get(state: Any) -> Any:
        return getattr(goal_read(state, state.params["ObjNumber"]), field)

    def put(state: Any, value: Any) -> None:
        later_of_goal(state, lambda number, goal: setattr(goal, field, value))

    return Attribute(attribute, get, put, takes, at_once=True)


def _set_objectives(state: Any, count: int) -> None:
    """Have so many objectives, with 0 a single one; a negative number changes nothing."""
    if count < 0:
        return
    state.meant = count

    def put() -> None:
        state.several = count
        goal_at(state, count - 1) if count > 1 else state.goals.clear()
        for number in [n for n in state.goals if n >= count]:
            del state.goals[number]

    state.later(put)


def _set(field: str) -> Callable[[Any, Any], None]:
    def put(state: Any, value: Any) -> None:
        setattr(state, field, value)

    return put


def _set_model_sense(state: Any, value: int) -> None:
    state.maximize = value <= 0  # whatever the number, as Gurobi takes it


def _set_constant(state: Any, value: float) -> None:
    state.goal.constant = value


def _products(state: Any) -> int:
    return len((state.goal.products or ([],))[0])


def _curved(state: Any) -> int:
    """How many terms and products all quadratic constraints have."""
    return sum(
        len(merged(part.linear._c, part.linear._v)[0]) + len(quadratic_of(*part.products).value)
        for part in state.family("quadratic")
    )


def _whole(state: Any) -> int:
    """How many variables are not continuous; semicontinuous ones count, as with Gurobi."""
    return sum(kind != VarType.CONTINUOUS for kind in state.kinds[: state.cols_live])


def _is_mip(state: Any) -> int:
    return int(
        _whole(state) > 0
        or bool(state.family("general") or state.family("sos"))
        or not all(is_convex(state, var) for var in state.pieces)
    )


def _has_quadratic(state: Any) -> bool:
    return any(isinstance(p, QuadraticPart) for p in state.family("quadratic"))


_VIOLATIONS = "BoundVio BoundVioSum ConstrVio ConstrVioSum IntVio IntVioSum MaxVio"


def _violation(name: str) -> Callable[[Any], float]:
    def get(state: Any) -> float:
        if name.startswith("Int") and not state.is_mip:
            raise UnavailableError
        return violations(state)[name]

    return get


def _lacking_figure(name: str) -> Attribute:
    def get(state: Any) -> Any:
        raise unsupported(f"attribute {name}")

    return Attribute(name, _solved(get))


def set_starts(state: Any, count: int) -> None:
    """Keep so many starts; a negative number changes nothing."""
    if count < 0:
        return
    former, state.start_count = state.start_count, count
    for number in range(count, former):
        state.extra.pop(start_name(number), None)


def _refuse_scenarios(state: Any, value: int) -> None:
    if value:
        raise unsupported("a model of several scenarios", "solve one model for each scenario")


def violations(state: Any) -> dict[str, float]:
    """The largest violations of bounds, rows and integrality at the solution."""
    x, model = np.array(known(state.x)[: len(state.columns)]), model_of(state)
    activity = model.activities(x)
    parts = {
        "BoundVio": np.maximum(model.col_lower - x, x - model.col_upper),
        "ConstrVio": np.maximum(model.row_lower - activity, activity - model.row_upper),
        "IntVio": np.where(model.whole, abs(x - np.round(x)), 0.0),
    }
    found: dict[str, float] = {}
    for name, part in parts.items():
        off = np.maximum(part, 0.0)
        found[name] = float(off.max(initial=0.0))
        found[name + "Sum"] = float(off.sum())
    found["MaxVio"] = max(found["BoundVio"], found["ConstrVio"], found["IntVio"])
    return found


_ANSWERED = table(
    Attribute("ModelName", lambda s: s.name, _set("name"), "string", hint=True),
    Attribute("ModelSense", lambda s: -1 if s.maximize else 1, _set_model_sense, "integer"),
    Attribute("ObjCon", lambda s: s.goal.constant, _set_constant),
    Attribute("Status", lambda s: s.ended if s.ended is not None else GRB.LOADED),
    Attribute("ObjVal", objective),
    Attribute("ObjBound", bound),
    Attribute("ObjBoundC", bound),
    Attribute("MIPGap", mip_gap),
    Attribute("Runtime", lambda s: s.result.seconds if s.result else 0.0),
    Attribute("Work", lambda s: s.result.seconds if s.result else 0.0),
    Attribute("SolCount", lambda s: s.solutions),
    Attribute("NodeCount", _solved(lambda s: float(s.result.nodes))),
    Attribute("OpenNodeCount", _solved(lambda s: 0.0)),
    Attribute("IterCount", _solved(lambda s: float(s.result.iterations))),
    Attribute("BarIterCount", _solved(lambda s: 0)),
    Attribute("NumVars", lambda s: s.cols_live),
    Attribute("NumConstrs", lambda s: s.rows_live),
    Attribute("NumNZs", lambda s: s.starts[s.rows_live]),
    Attribute("DNumNZs", lambda s: float(s.starts[s.rows_live])),
    Attribute("NumQConstrs", lambda s: len(s.family("quadratic"))),
    Attribute("NumGenConstrs", lambda s: len(s.family("general"))),
    Attribute("NumSOS", lambda s: len(s.family("sos"))),
    Attribute("NumIntVars", _whole),
    Attribute("NumBinVars", lambda s: s.kinds[: s.cols_live].count(VarType.BINARY)),
    Attribute("NumQNZs", _products),
    Attribute("NumQCNZs", _curved),
    Attribute("NumPWLObjVars", lambda s: len(s.pieces)),
    Attribute("NumObj", lambda s: s.several or 1, _set_objectives, "integer", at_once=True),
    Attribute("NumStart", lambda s: s.start_count, set_starts, "integer", at_once=True),
    Attribute("NumScenarios", lambda s: 0, _refuse_scenarios, "integer"),
    Attribute("IsMIP", _is_mip),
    Attribute("IsQP", lambda s: int(bool(s.goal.products) and not _has_quadratic(s))),
    Attribute("IsQCP", lambda s: int(_has_quadratic(s))),
    Attribute("IsMultiObj", lambda s: int(bool(s.several))),
    Attribute("IISMinimal", lambda s: int(known(s.iis) is not None and s.iis_minimal)),
    Attribute("FarkasProof", basis.farkas_proof),
    Attribute("PoolObjVal", pool_objective),
    Attribute("PoolNObjVal", pool_objective),
    Attribute("PoolObjBound", pool_bound),
    Attribute("ObjNVal", goal_value),
    Attribute("Fingerprint", fingerprint),
    Attribute("MaxCoeff", extreme("value", np.max)),
    Attribute("MinCoeff", extreme("value", np.min)),
    Attribute("MaxObjCoeff", extreme("cost", np.max)),
    Attribute("MinObjCoeff", extreme("cost", np.min)),
    Attribute("MaxRHS", extreme("rhs", np.max)),
    Attribute("MinRHS", extreme("rhs", np.min)),
    Attribute("MaxBound", extreme("upper", np.max)),
    Attribute("MinBound", extreme("upper", np.min)),
    Attribute("ConcurrentWinMethod", _solved(lambda s: -1)),
    Attribute("MemUsed", lambda s: 0.0),
    Attribute("MaxMemUsed", lambda s: 0.0),
    *(Attribute(name, _violation(name)) for name in _VIOLATIONS.split()),
    _of_goal("ObjNName", "name", "string"),
    _of_goal("ObjNPriority", "priority", "integer"),
    _of_goal("ObjNWeight", "weight", "double"),
    _of_goal("ObjNAbsTol", "abs_tol", "double"),
    _of_goal("ObjNRelTol", "rel_tol", "double"),
    _of_goal("ObjNCon", "constant", "double"),
)
_LACKING = set(map(str.lower, ATTRIBUTES)).difference(_ANSWERED, *TABLES.values())
MODEL = {name.lower(): _lacking_figure(name) for name in ATTRIBUTES if name.lower() in _LACKING}
MODEL |= _ANSWERED
"""All attributes of a model by their names in small letters, those that are lacking too."""
