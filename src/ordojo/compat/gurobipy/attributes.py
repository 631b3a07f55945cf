"""Reading and setting attributes of variables, constraints and other parts, in any spelling."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ordojo.compat.core.store import LARGE
from ordojo.compat.gurobipy import results
from ordojo.compat.gurobipy.constants import GRB
from ordojo.compat.gurobipy.errors import GurobiError, UnavailableError, failure, unsupported

KINDS = "CIBSN"
"""Gurobi's letters of the variable types, in the order of `VarType`."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """How an attribute is read from a handle, set on it, and which Python type it takes.

    A `hint` leaves the solution of the last solve in place, as names do.
    """

    name: str
    get: Callable[[Any], Any]
    set: Callable[[Any, Any], None] | None = None
    takes: str = "double"
    hint: bool = False


def converted(attribute: Attribute, value: Any) -> Any:
    """The value as the attribute's type; AttributeError as Gurobi says it."""
    try:
        if attribute.takes == "string":
            if not isinstance(value, str):
                raise TypeError
            return value
        if attribute.takes == "character":
            if not isinstance(value, str):
                raise TypeError
            return kind_of(value) if attribute.name == "VType" else _sense(value)
        if isinstance(value, str):
            raise TypeError
        return int(value) if attribute.takes == "integer" else float(value)
    except TypeError:
        raise AttributeError(
            f"Attribute '{attribute.name}' takes {attribute.takes} value"
        ) from None
    except GurobiError as error:
        raise AttributeError(str(error)) from None


def single(letter: Any) -> str:
    """A letter of a list of several; ValueError or TypeError as Gurobi's where it is none."""
    if isinstance(letter, bytes) and len(letter) == 1:
        return letter.decode("latin-1")
    if not isinstance(letter, str):
        kind = type(letter).__name__
        raise TypeError(f"ord() expected string of length 1, but {kind} found")
    if len(letter) != 1:
        raise ValueError(
            "only single character unicode strings can be converted to Py_UCS4, "
            f"got length {len(letter)}"
        )
    return letter


def kind_of(letter: Any) -> int:
    """The code of a variable type's letter, the first of a word."""
    if isinstance(letter, bytes):
        raise TypeError("ord() expected string of length 1, but int found")
    found = KINDS.find(letter[0].upper())
    if found < 0:
        raise failure("INVALID_ARGUMENT", f"Invalid variable type '{letter[0]}'")
    return found


def _sense(text: str) -> str:
    if text[:1] not in ("<", ">", "="):
        raise failure("INVALID_ARGUMENT", f"Invalid constraint sense: '{text}'")
    return text[0]


def infinite(value: float) -> float:
    """A bound with Gurobi's large numbers made infinite."""
    return float("inf") if value >= LARGE else -float("inf") if value <= -LARGE else value


def read(handle: Any, name: str) -> Any:
    """An attribute of a handle; AttributeError as Gurobi says it."""
    attribute = _find(handle, name)
    handle._check()
    if handle._awaits():
        raise AttributeError(f"Index out of range for attribute '{attribute.name}'")
    try:
        return attribute.get(handle)
    except UnavailableError:
        raise AttributeError(f"Unable to retrieve attribute '{name}'") from None


def write(handle: Any, name: str, value: Any) -> None:
    """Set an attribute of a handle at the next update."""
    attribute = _find(handle, name)
    if attribute.set is None:
        raise AttributeError(f"Attribute '{name}' cannot be set")
    value = converted(attribute, value)
    handle._check()
    when = handle._store.hint if attribute.hint else handle._store.later
    when(attribute.set, handle, value)


def _find(handle: Any, name: str) -> Attribute:
    if not isinstance(name, str):
        raise AttributeError(f"'{type(name).__name__}' object has no attribute 'encode'")
    attribute = TABLES[handle._what].get(name.lower())
    if attribute is None:
        raise AttributeError(f"'gurobipy.{handle._what}' object has no attribute '{name}'")
    return attribute


def _array(which: str, name: str) -> Attribute:
    """An attribute that is a column's entry of a flat array."""

    def get(var: Any) -> float:
        return infinite(getattr(var._store, which)[var._col])

    def put(var: Any, value: float) -> None:
        if var._col >= 0:
            getattr(var._store, which)[var._col] = value

    return Attribute(name, get, put)


def _extra(name: str, default: Any, takes: str, hint: bool = False) -> Attribute:
    """An attribute that only lies with the handle."""

    def get(handle: Any) -> Any:
        return handle._store.extra.get(name, {}).get(handle, default)

    def put(handle: Any, value: Any) -> None:
        handle._store.extra.setdefault(name, {})[handle] = value

    return Attribute(name, get, put, takes, hint)


def _name(attr: str, which: str, slot: str) -> Attribute:
    def get(handle: Any) -> str:
        found: str = getattr(handle._store, which)[getattr(handle, slot)]
        return found

    def put(handle: Any, value: str) -> None:
        if getattr(handle, slot) >= 0:
            getattr(handle._store, which).rename(getattr(handle, slot), value)

    return Attribute(attr, get, put, "string", hint=True)


def _set_kind(var: Any, code: int) -> None:
    if var._col >= 0:
        var._store.kinds[var._col] = code
        if KINDS[code] == "B":
            lower, upper = var._store.lower, var._store.upper
            lower[var._col] = max(lower[var._col], 0.0)
            upper[var._col] = min(upper[var._col], 1.0)


def _set_sense(constr: Any, sense: str) -> None:
    if constr._row >= 0:
        constr._store.senses[constr._row] = ord(sense)


def _set_rhs(constr: Any, value: float) -> None:
    if constr._row >= 0:
        constr._store.rhs[constr._row] = value


def _lacking(name: str) -> Attribute:
    """An attribute of a solution that this layer's solvers do not give."""

    def get(handle: Any) -> Any:
        if handle._store.result is None:
            raise UnavailableError
        raise unsupported(f"attribute {name}")

    return Attribute(name, get)


def _basis(name: str, get: Callable[[Any], int]) -> Attribute:
    """A basis status; one that is given for a warm start is taken and not needed."""
    return Attribute(name, get, lambda handle, value: None, "integer", hint=True)


def _ranged(name: str, get: Callable[..., float], *which: Any) -> Attribute:
    return Attribute(name, lambda handle: get(handle, *which))


def _of_part(name: str, field: str, takes: str, default: str = "") -> Attribute:
    def get(handle: Any) -> Any:
        value = getattr(handle._part, field)
        return f"{default}{handle._part.number}" if default and not value else value

    def put(handle: Any, value: Any) -> None:
        setattr(handle._part, field, value)

    return Attribute(name, get, put, takes)


def _table(*attributes: Attribute) -> dict[str, Attribute]:
    return {attribute.name.lower(): attribute for attribute in attributes}


_UNKNOWN = GRB.UNDEFINED
VARIABLE = _table(
    _array("lower", "LB"),
    _array("upper", "UB"),
    _array("cost", "Obj"),
    Attribute("VType", lambda v: KINDS[v._store.kinds[v._col]], _set_kind, "character"),
    _name("VarName", "col_names", "_col"),
    Attribute("X", results.value),
    Attribute("Xn", results.pool_value),
    Attribute("PoolNX", results.pool_value),
    Attribute("RC", results.reduced_cost),
    Attribute("IISLB", results.in_iis("lb")),
    Attribute("IISUB", results.in_iis("ub")),
    Attribute("ObjN", results.further_cost, results.set_further_cost),
    Attribute("PWLObjCvx", lambda v: 1),
    _extra("Start", _UNKNOWN, "double"),
    _extra("VarHintVal", _UNKNOWN, "double"),
    _extra("VarHintPri", 0, "integer"),
    _extra("BranchPriority", 0, "integer"),
    _extra("Partition", -1, "integer"),
    _extra("PoolIgnore", 0, "integer"),
    _extra("VTag", "", "string", hint=True),
    _extra("PStart", _UNKNOWN, "double", hint=True),
    _extra("IISLBForce", -1, "integer"),
    _extra("IISUBForce", -1, "integer"),
    _basis("VBasis", results.variable_basis),
    _ranged("SAObjLow", results.cost_range, "low"),
    _ranged("SAObjUp", results.cost_range, "up"),
    _ranged("SALBLow", results.bound_range, 0, "low"),
    _ranged("SALBUp", results.bound_range, 0, "up"),
    _ranged("SAUBLow", results.bound_range, 2, "low"),
    _ranged("SAUBUp", results.bound_range, 2, "up"),
    Attribute("UnbdRay", results.unbounded_ray),
    *(_lacking(n) for n in ("BarX", "ScenNX", "ScenNLB", "ScenNUB", "ScenNObj")),
    *(_lacking(n) for n in ("PreFixVal", "VarPreStat")),
)
CONSTRAINT = _table(
    _name("ConstrName", "row_names", "_row"),
    Attribute("RHS", lambda c: c._store.rhs[c._row], _set_rhs),
    Attribute("Sense", lambda c: chr(c._store.senses[c._row]), _set_sense, "character"),
    Attribute("Pi", results.dual),
    Attribute("Slack", results.slack),
    Attribute("IISConstr", results.in_iis("row")),
    _extra("Lazy", 0, "integer"),
    _extra("CTag", "", "string", hint=True),
    _extra("DStart", _UNKNOWN, "double", hint=True),
    _extra("IISConstrForce", -1, "integer"),
    _basis("CBasis", results.row_basis),
    _ranged("SARHSLow", results.side_range, "low"),
    _ranged("SARHSUp", results.side_range, "up"),
    Attribute("FarkasDual", results.farkas_dual),
    *(_lacking(n) for n in ("BarPi", "ScenNRHS")),
)
QUADRATIC = _table(
    _of_part("QCName", "name", "string", "QC"),
    _of_part("QCSense", "sense", "character"),
    _of_part("QCRHS", "rhs", "double"),
    Attribute("QCSlack", results.quadratic_slack),
    Attribute("IISQConstr", results.no_iis),
    _extra("QCTag", "", "string", hint=True),
    _extra("IISQConstrForce", -1, "integer"),
    _lacking("QCPi"),
)
GENERAL = _table(
    _of_part("GenConstrName", "name", "string", "GC"),
    Attribute("GenConstrType", lambda g: results.general_type(g._part)),
    Attribute("IISGenConstr", results.no_iis),
    _extra("IISGenConstrForce", -1, "integer"),
    _extra("FuncPieces", 0, "integer"),
    _extra("FuncPieceError", 1e-3, "double"),
    _extra("FuncPieceLength", 1e-2, "double"),
    _extra("FuncPieceRatio", -1.0, "double"),
    _extra("FuncNonlinear", 1, "integer"),
)
SETS = _table(Attribute("IISSOS", results.no_iis), _extra("IISSOSForce", -1, "integer"))
TABLES = {
    "Var": VARIABLE,
    "Constr": CONSTRAINT,
    "QConstr": QUADRATIC,
    "GenConstr": GENERAL,
    "SOS": SETS,
}
