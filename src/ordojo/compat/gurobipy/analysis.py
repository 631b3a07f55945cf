"""What the last basis says: statuses, ranges of sensitivity, rays and their proofs."""

import math
from typing import Any

from ordojo.compat import transport
from ordojo.compat.core.handles import UnavailableError, known
from ordojo.compat.gurobipy.constants import GRB
from ordojo.compat.gurobipy.errors import asked_service, unsupported
from ordojo.compat.gurobipy.state import problem_now
from ordojo.compat.messages import Analysis

_BASIC, _LOWER, _UPPER = 1, 0, 2
_VARIABLE = {_LOWER: GRB.NONBASIC_LOWER, _BASIC: GRB.BASIC, _UPPER: GRB.NONBASIC_UPPER}


def analysis(state: Any) -> Analysis:
    """What the last basis says, worked out when it is first asked for."""
    if state.result is None or state.is_mip or state.family("quadratic"):
        raise UnavailableError
    if state.goal.products:
        raise unsupported("a basis of a model with a quadratic objective")
    if state.analysis is None:
        state.analysis = asked_service(transport.analyse, problem_now(state))
    found: Analysis = state.analysis
    return found


def _part(state: Any, name: str, place: int) -> float:
    values = known(getattr(analysis(state), name))
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
    ray = known(analysis(state).dual_ray)
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
