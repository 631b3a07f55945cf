"""What is read from a solve: values, duals, slacks, membership of the infeasible subsystem."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ordojo.compat import transport
from ordojo.compat.analysis import Analysis
from ordojo.compat.core.parts import FormulaPart, GeneralPart, IndicatorPart, Part
from ordojo.compat.gurobipy.constants import GRB
from ordojo.compat.gurobipy.errors import GurobiError, UnavailableError, unsupported
from ordojo.compat.gurobipy.solving import problem_now
from ordojo.solvers.problem import Function

TYPES = {
    Function.MAX: GRB.GENCONSTR_MAX,
    Function.MIN: GRB.GENCONSTR_MIN,
    Function.ABS: GRB.GENCONSTR_ABS,
    Function.AND: GRB.GENCONSTR_AND,
    Function.OR: GRB.GENCONSTR_OR,
    Function.NORM: GRB.GENCONSTR_NORM,
    Function.PWL: GRB.GENCONSTR_PWL,
    Function.POLY: GRB.GENCONSTR_POLY,
    Function.EXP: GRB.GENCONSTR_EXP,
    Function.EXPA: GRB.GENCONSTR_EXPA,
    Function.LOG: GRB.GENCONSTR_LOG,
    Function.LOGA: GRB.GENCONSTR_LOGA,
    Function.POW: GRB.GENCONSTR_POW,
    Function.SIN: GRB.GENCONSTR_SIN,
    Function.COS: GRB.GENCONSTR_COS,
    Function.TAN: GRB.GENCONSTR_TAN,
    Function.LOGISTIC: GRB.GENCONSTR_LOGISTIC,
}


def general_type(part: Part) -> int:
    """The number of a general constraint's type."""
    if isinstance(part, IndicatorPart):
        found: int = GRB.GENCONSTR_INDICATOR
    elif isinstance(part, GeneralPart):
        found = TYPES[part.function]
    else:
        assert isinstance(part, FormulaPart)
        found = GRB.GENCONSTR_NL
    return found


def value(var: Any) -> float:
    """A variable's value."""
    values = var._store.x
    if values is None:
        raise UnavailableError
    found: float = values[var._col]
    return found


def pool_value(var: Any) -> float:
    """A variable's value in the solution of the pool that SolutionNumber asks for."""
    number = var._store.params["SolutionNumber"]
    found = solution(var._store, number)
    if found is None:
        raise UnavailableError
    return float(found[1][var._col])


def solution(store: Any, number: int) -> tuple[float, Any] | None:
    """Objective and values of a solution, the best being number 0; None beyond the last."""
    result = store.result
    if result is None or result.x is None:
        return None
    if number == 0 and not result.pool:
        return float(result.objective or 0.0), result.x
    return result.pool[number] if number < len(result.pool) else None


def reduced_cost(var: Any) -> float:
    """A variable's reduced cost."""
    result = var._store.result
    if result is None or result.col_dual is None:
        raise UnavailableError
    return float(result.col_dual[var._col])


def dual(constr: Any) -> float:
    """A row's dual value."""
    result = constr._store.result
    if result is None or result.row_dual is None:
        raise UnavailableError
    return float(result.row_dual[constr._row])


def slack(constr: Any) -> float:
    """The right side less the row's value."""
    store = constr._store
    if store.x is None:
        raise UnavailableError
    values = store.x
    index, coeffs = store.row(constr._row)
    activity = sum(c * values[j] for j, c in zip(index, coeffs, strict=True))
    return float(store.rhs[constr._row] - activity)


def quadratic_slack(handle: Any) -> float:
    """The right side less the value of a quadratic constraint."""
    if handle._store.x is None:
        raise UnavailableError
    part = handle._part
    q, a, b = part.products
    total = sum(c * x.x * y.x for c, x, y in zip(q, a, b, strict=True))
    return float(part.rhs - total - part.linear.getValue())


def in_iis(which: str) -> Callable[[Any], int]:
    """Whether a row ("row") or a bound ("lb", "ub") is in the subsystem, as 0 or 1."""

    def get(handle: Any) -> int:
        iis = handle._store.iis
        if iis is None:
            raise UnavailableError
        return int(handle._number() in iis[which])

    return get


def no_iis(handle: Any) -> int:
    """Subsystems of models with nonlinear parts are not found here."""
    if handle._store.iis is None:
        raise UnavailableError
    return 0


def further_cost(var: Any) -> float:
    """The coefficient in the objective that ObjNumber asks for."""
    number = var._store.params["ObjNumber"]
    if number == 0:
        return float(var._store.cost[var._col])
    goal = var._store.goals.get(number)
    if goal is None:
        raise GurobiError(10003, "It isn't a multi-objective model")
    pairs = zip(goal.coeffs, goal.variables, strict=True)
    return float(sum(c for c, other in pairs if other is var))


def set_further_cost(var: Any, cost: float) -> None:
    """Set the coefficient in the objective that ObjNumber asks for."""
    number = var._store.params["ObjNumber"]
    if number == 0:
        var._store.cost[var._col] = cost
        return
    goal = var._store.goals.get(number)
    if goal is None:
        raise unsupported("setting ObjN of an objective that does not exist")
    kept = [(c, v) for c, v in zip(goal.coeffs, goal.variables, strict=True) if v is not var]
    goal.coeffs = [c for c, _ in kept] + [cost]
    goal.variables = [v for _, v in kept] + [var]


def violations(store: Any) -> dict[str, float]:
    """The largest violations of bounds, rows and integrality at the solution."""
    if store.x is None:
        raise UnavailableError
    x = np.array(store.x[: len(store.columns)])
    lower, upper = store.view("lower"), store.view("upper")
    starts, index, coeffs = store.view("starts", np.int64), store.view("index", int), store.value
    rows = np.repeat(np.arange(len(store.rows)), np.diff(starts))
    activity = np.bincount(rows, np.array(coeffs) * x[index], len(store.rows))
    over = activity - store.view("rhs")
    senses = np.frombuffer(bytes(store.senses), np.uint8)
    rows_off = np.where(senses == ord("<"), over, np.where(senses == ord(">"), -over, abs(over)))
    whole = np.isin(np.frombuffer(bytes(store.kinds), np.uint8), (1, 2, 4))
    parts = {
        "BoundVio": np.maximum(lower - x, x - upper),
        "ConstrVio": rows_off,
        "IntVio": np.where(whole, abs(x - np.round(x)), 0.0),
    }
    found: dict[str, float] = {}
    for name, part in parts.items():
        off = np.maximum(part, 0.0)
        found[name] = float(off.max(initial=0.0))
        found[name + "Sum"] = float(off.sum())
    found["MaxVio"] = max(found["BoundVio"], found["ConstrVio"], found["IntVio"])
    return found


_BASIC, _LOWER, _UPPER = 1, 0, 2
_VARIABLE = {_LOWER: GRB.NONBASIC_LOWER, _BASIC: GRB.BASIC, _UPPER: GRB.NONBASIC_UPPER}


def analysis(state: Any) -> Analysis:
    """What the last basis says, worked out when it is first asked for."""
    if state.result is None or state.is_mip:
        raise UnavailableError
    if state.analysis is None:
        state.analysis = transport.analyse(problem_now(state))
    found: Analysis = state.analysis
    return found


def _part(state: Any, name: str, place: int) -> float:
    values = getattr(analysis(state), name)
    if values is None:
        raise UnavailableError
    return float(values[place])


def variable_basis(var: Any) -> int:
    """VBasis."""
    code = int(_part(var._store, "col_basis", var._col))
    return int(_VARIABLE.get(code, GRB.SUPERBASIC))


def row_basis(constr: Any) -> int:
    """CBasis."""
    code = int(_part(constr._store, "row_basis", constr._row))
    return int(GRB.BASIC if code == _BASIC else GRB.NONBASIC_LOWER)


def cost_range(var: Any, end: str) -> float:
    """SAObjLow ("low") and SAObjUp ("up")."""
    return _part(var._store, f"cost_{end}", var._col)


def bound_range(var: Any, side: int, end: str) -> float:
    """SALBLow and SALBUp of the lower bound (side 0), SAUBLow and SAUBUp of the upper (2).

    A bound that the column does not stand at may move up to the column's value.
    """
    state, j = var._store, var._col
    if int(_part(state, "col_basis", j)) == side:
        return _part(state, f"col_{end}", j)
    if (end == "low") == (side == _LOWER):
        return -math.inf if side == _LOWER else math.inf
    return _part(state, "x", j)


def side_range(constr: Any, end: str) -> float:
    """SARHSLow and SARHSUp; a row that does not bind may be tightened up to its value."""
    state, i = constr._store, constr._row
    if int(_part(state, "row_basis", i)) != _BASIC:
        return _part(state, f"row_{end}", i)
    free_end = {ord("<"): "up", ord(">"): "low"}.get(state.senses[i])
    if end == free_end:
        return math.inf if end == "up" else -math.inf
    return _part(state, "activity", i)


def unbounded_ray(var: Any) -> float:
    """UnbdRay."""
    return _part(var._store, "primal_ray", var._col)


def farkas_dual(constr: Any) -> float:
    """FarkasDual: multipliers of the rows that leave no point within the bounds.

    Gurobi's sign: at most 0 of a >= row, at least 0 of a <= row.
    """
    return -_part(constr._store, "dual_ray", constr._row)


def farkas_proof(state: Any) -> float:
    """FarkasProof: by how much the combined row misses what the bounds allow."""
    ray = analysis(state).dual_ray
    if ray is None:
        raise UnavailableError
    model = problem_now(state).model
    low, up = model.effective_bounds
    combined = [0.0] * model.n
    need = 0.0
    for i, y in enumerate(ray.tolist()):
        if y:
            need += y * float(model.row_lower[i] if y > 0 else model.row_upper[i])
            for k in range(int(model.starts[i]), int(model.starts[i + 1])):
                combined[int(model.index[k])] += y * float(model.value[k])
    most = sum(w * float(up[j] if w > 0 else low[j]) for j, w in enumerate(combined) if w)
    return need - most
