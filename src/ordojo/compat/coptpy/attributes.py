"""A model's attributes, by name in any case."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ordojo.compat.coptpy import log
from ordojo.compat.coptpy.constants import COPT
from ordojo.compat.coptpy.errors import unsupported
from ordojo.compat.coptpy.handles import Cone
from ordojo.compat.core.parts import FormulaPart
from ordojo.milp.model import VarType


def _count(family: str, formulas: bool = False, cones: bool = False) -> Callable[[Any], int]:
    def read(state: Any) -> int:
        state.update()
        parts = [p for p in state.family(family) if isinstance(p.handle, Cone) == cones]
        return sum(isinstance(part, FormulaPart) == formulas for part in parts)

    return read


def _kinds(code: VarType) -> Callable[[Any], int]:
    return lambda state: state.kinds.count(code)


def _is_mip(state: Any) -> int:
    parts = any(state.parts.get(family) for family in ("general", "sos"))
    formulas_only = parts and not state.parts.get("sos")
    if formulas_only:
        parts = any(not isinstance(part, FormulaPart) for part in state.parts["general"])
    return int(parts or any(state.kinds))


def _elements(state: Any) -> int:
    state.update()
    return len(state.index)


def _products(state: Any) -> int:
    return len(state.goal.products[0]) if state.goal.products else 0


def _of_mip(read: Callable[[Any], Any], missing: Any = 0.0) -> Callable[[Any], Any]:
    """A figure that only solves of MIPs have."""
    return lambda state: read(state) if state.outcome.mip_status else missing


def _bound(state: Any) -> float:
    bound = state.result.bound if state.result is not None else None
    if state.outcome.status == COPT.INFEASIBLE:
        return -COPT.INFINITY if state.maximize else COPT.INFINITY
    if bound is None or abs(bound) > COPT.INFINITY:
        return COPT.INFINITY if state.maximize else -COPT.INFINITY
    return float(bound)


def _objective(state: Any) -> float:
    return float(state.outcome.objective)


def _gap(state: Any) -> float:
    if state.outcome.status == COPT.INFEASIBLE:
        return 0.0
    return COPT.INFINITY if state.x is None else log.gap(state.result)


def _has_solution(state: Any) -> int:
    return int(state.x is not None)


def _figure(name: str) -> Callable[[Any], Any]:
    return lambda state: getattr(state.result, name) if state.result is not None else 0


def _in_subsystem(*kinds: str) -> Callable[[Any], int]:
    def read(state: Any) -> int:
        sides = state.iis or {}
        return len(set().union(*(sides.get(kind, ()) for kind in kinds)))

    return read


def _pool(state: Any) -> int:
    return max(1, len(state.result.pool)) if state.x is not None else 0


def _extreme(which: str, best: Callable[[Any], Any]) -> Callable[[Any], float]:
    def read(state: Any) -> float:
        values = np.abs(np.array(getattr(state, which), float))
        values = values[(values > 0) & (values < 1e20)]
        return float(best(values)) if len(values) else 0.0

    return read


def _zero(state: Any) -> int:
    return 0


READ: Mapping[str, Callable[[Any], Any]] = {
    "cols": lambda s: len(s.columns),
    "rows": lambda s: len(s.rows),
    "elems": _elements,
    "qelems": _products,
    "bins": _kinds(VarType.BINARY),
    "ints": _kinds(VarType.INTEGER),
    "soss": _count("sos"),
    "qconstrs": _count("quadratic"),
    "cones": _count("quadratic", cones=True),
    "hasfeasrelaxsol": lambda s: int(s.relaxed is not None),
    "feasrelaxobj": lambda s: s.relaxed["objective"] if s.relaxed else 0.0,
    "indicators": _count("general"),
    "nlconstrs": _count("general", formulas=True),
    "multiobjs": lambda s: len(s.aims),
    "objsense": lambda s: COPT.MAXIMIZE if s.maximize else COPT.MINIMIZE,
    "objconst": lambda s: float(s.goal.constant),
    "hasqobj": lambda s: int(_products(s) > 0),
    "hasnlobj": lambda s: int(s.formula is not None),
    "ismip": _is_mip,
    "status": lambda s: s.outcome.status,
    "lpstatus": lambda s: s.outcome.lp_status,
    "mipstatus": lambda s: s.outcome.mip_status,
    "objval": _objective,
    "lpobjval": lambda s: _objective(s) if s.outcome.lp_status else 0.0,
    "bestobj": _of_mip(_objective),
    "bestbnd": _of_mip(_bound),
    "bestgap": _of_mip(_gap),
    "objbound": lambda s: _bound(s) if s.outcome.mip_status else _objective(s),
    "hassol": _has_solution,
    "haslpsol": lambda s: int(_has_solution(s) and bool(s.outcome.lp_status)),
    "hasmipsol": lambda s: int(_has_solution(s) and bool(s.outcome.mip_status)),
    "poolsols": _of_mip(_pool, 0),
    "solvingtime": lambda s: float(_figure("seconds")(s)),
    "simplexiter": _figure("iterations"),
    "nodecnt": _figure("nodes"),
    "barrieriter": _zero,
    "hasiis": lambda s: int(s.iis is not None),
    "isminiis": lambda s: int(s.iis is not None and s.iis_minimal),
    "iisrows": _in_subsystem("row_lower", "row_upper"),
    "iiscols": _in_subsystem("col_lower", "col_upper"),
    "minelem": _extreme("value", np.min),
    "maxelem": _extreme("value", np.max),
    "mincost": _extreme("cost", np.min),
    "maxcost": _extreme("cost", np.max),
    "minrhs": _extreme("rhs", np.min),
    "maxrhs": _extreme("rhs", np.max),
    "name": lambda s: s.name,
}
_NONE = frozenset(
    [
        "affinecones",
        "expcones",
        "hasbasis",
        "hasbranchfactor",
        "hasdualfarkas",
        "hasprimalray",
        "haspsdobj",
        "hassensitivity",
        "iisindicators",
        "iissoss",
        "lmiconstrs",
        "nlelems",
        "pdlpiter",
        "psdcols",
        "psdconstrs",
        "psdelems",
        "symmats",
        "tuneresults",
    ]
)
_LACKING = frozenset(
    [
        "mempeak",
        "minbound",
        "maxbound",
        "minqcost",
        "maxqcost",
        "minqelem",
        "maxqelem",
        "minqlelem",
        "maxqlelem",
        "minqrhs",
        "maxqrhs",
    ]
)


def read(state: Any, name: Any) -> Any:
    """An attribute's value; AttributeError where there is none of that name."""
    lower = str(name).lower()
    found = READ.get(lower)
    if found is not None:
        return found(state)
    if lower in _NONE:
        return 0
    if lower in _LACKING:
        raise unsupported(f"attribute {name}")
    raise AttributeError(f"Invalid attribute name '{name}'")
