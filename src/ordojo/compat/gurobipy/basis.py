"""What the last basis says (statuses, ranges, rays and their proofs), and bases as .bas files."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ordojo.compat import transport
from ordojo.compat.core.handles import UnavailableError, known
from ordojo.compat.gurobipy.constants import GRB
from ordojo.compat.gurobipy.errors import asked_service, failure, unsupported
from ordojo.compat.gurobipy.state import CBASIS, VBASIS, problem_now
from ordojo.compat.messages import Analysis
from ordojo.milp.model import Floats

_BASIC, _LOWER, _UPPER = 1, 0, 2
_VARIABLE = {_LOWER: GRB.NONBASIC_LOWER, _BASIC: GRB.BASIC, _UPPER: GRB.NONBASIC_UPPER}


def analysis(state: Any) -> Analysis:
    """What the last basis says, worked out when it is first asked for."""
    if state.result is None or state.is_mip or state.family("quadratic"):
        raise UnavailableError
    if state.goal.products:
        raise unsupported("a basis of a model with a quadratic objective")
    if state.analysis is None:
        state.analysis = asked_service(transport.ask, "analysis", problem_now(state))
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
    combined = np.bincount(model.index, model.value * ray[model.entry_rows], model.n)
    need = _sum(ray, model.row_lower, model.row_upper)
    return need - _sum(combined, up, low)


def _sum(weights: Any, above: Floats, below: Floats) -> float:
    """The weighted sum of one side for weights over 0, of the other for those below."""
    used = np.flatnonzero(weights)
    sides = np.where(weights > 0, above, below)[used]
    return float(sum((weights[used] * sides).tolist()))


def status_of(handle: Any, name: str) -> int:
    """VBasis or CBasis: of the last solve, else as it was set, where all of them were."""
    state = handle._store
    both = ((VBASIS, state.columns), (CBASIS, state.rows))
    if state.result is None and all(_complete(state, *one) for one in both):
        return int(state.extra[name][handle])
    return variable_basis(handle) if name == VBASIS else row_basis(handle)


def _complete(state: Any, name: str, handles: Any) -> bool:
    given = state.extra.get(name, {})
    return all(given.get(handle) in _STATUSES for handle in handles)


_STATUSES = (GRB.BASIC, GRB.NONBASIC_LOWER, GRB.NONBASIC_UPPER, GRB.SUPERBASIC)


def names_of(state: Any) -> tuple[list[str], list[str]]:
    """What files of points and bases call the columns and rows of an updated state.

    By their places where one of them has a blank.
    """
    columns, rows = list(state.col_names.all()), list(state.row_names.all())
    if any(" " in name for name in columns):
        entries = np.bincount(state.view("index", int), minlength=len(columns)).tolist()
        columns = [f"{v.VType}{j}({entries[j]})" for j, v in enumerate(state.columns)]
    if any(" " in name for name in rows):
        rows = [f"c{i}" for i in range(len(rows))]
    return columns, rows


def basis_lines(state: Any) -> list[str]:
    """The lines of a .bas file; each basic variable is paired with a row that is not basic."""
    try:
        columns = [status_of(var, VBASIS) for var in state.columns]
        rows = [status_of(constr, CBASIS) for constr in state.rows]
    except UnavailableError:
        raise failure("DATA_NOT_AVAILABLE", "Unable to retrieve basis for current model") from None
    names, row_names = names_of(state)
    basic = [name for name, status in zip(names, columns, strict=False) if status == GRB.BASIC]
    tight = [name for name, status in zip(row_names, rows, strict=False) if status != GRB.BASIC]
    upper = [n for n, s in zip(names, columns, strict=False) if s == GRB.NONBASIC_UPPER]
    return [
        f"NAME {state.name} {len(columns)} Variables {len(rows)} Constraints",
        *(f" XL {name:<8}  {row:<8}" for name, row in zip(basic, tight, strict=False)),
        *(f" UL {name:<8}" for name in upper),
        "ENDATA",
        "",
    ]


def read_basis(model: Any, text: str) -> None:
    """Set VBasis and CBasis as a .bas file says; what it does not name keeps its place."""
    model.update()
    columns = dict.fromkeys(model.getVars(), GRB.NONBASIC_LOWER)
    rows = dict.fromkeys(model.getConstrs(), GRB.BASIC)
    # Of two that are called alike the first is meant.
    called = [
        dict(zip(reversed(names), reversed(handles), strict=True))
        for names, handles in zip(names_of(model._state), (columns, rows), strict=True)
    ]
    for line in text.splitlines():
        kind, *words = line.split() or [""]
        if kind in ("XL", "XU", "UL", "LL") and words:
            var = _named(called[0], "variable", words[0])
            columns[var] = GRB.NONBASIC_UPPER if kind == "UL" else GRB.NONBASIC_LOWER
            if kind in ("XL", "XU"):
                columns[var] = GRB.BASIC
                row = words[1] if len(words) > 1 else ""
                rows[_named(called[1], "row", row)] = GRB.NONBASIC_LOWER
    model._state.extra |= {VBASIS: columns, CBASIS: rows}


def _named(called: Mapping[str, Any], what: str, name: str) -> Any:
    if name not in called:
        raise failure("FILE_READ", f"MPS reader: {what} name {name} doesn't exist")
    return called[name]
