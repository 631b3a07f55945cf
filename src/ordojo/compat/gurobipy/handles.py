"""What a program holds: variables, constraints, other parts, and their attributes in any case."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from ordojo.compat.core import expressions as core
from ordojo.compat.core import handles as held
from ordojo.compat.core.handles import KINDS, Attribute, UnavailableError, known
from ordojo.compat.core.store import (
    ElementNames,
    GeneralPart,
    Goal,
    IndicatorPart,
    StoredConstraint,
)
from ordojo.compat.gurobipy import basis
from ordojo.compat.gurobipy.constants import GRB
from ordojo.compat.gurobipy.errors import (
    GurobiError,
    UnreadError,
    called,
    invalid,
    named,
    unsupported,
)
from ordojo.compat.gurobipy.expressions import GurobiOperators, formula
from ordojo.compat.gurobipy.state import CBASIS, VBASIS, goal_read, is_convex, later_of_goal
from ordojo.milp.model import ENDLESS
from ordojo.solvers.problem import GeneralFunction

TYPES = {function: getattr(GRB, f"GENCONSTR_{function.name}") for function in GeneralFunction}


def general_type(part: StoredConstraint) -> Any:
    """The number of a general constraint's type."""
    if isinstance(part, GeneralPart):
        return TYPES[part.function]
    return GRB.GENCONSTR_INDICATOR if isinstance(part, IndicatorPart) else GRB.GENCONSTR_NL


def pool_value(var: Any) -> float:
    """A variable's value in the solution of the pool that SolutionNumber asks for."""
    number = var._store.params["SolutionNumber"]
    return float(known(var._store.solution(number))[1][var._col])


def in_iis(which: str) -> Callable[[Any], int]:
    """Whether a row ("row") or a bound ("col_lower" or "col_upper") is in the subsystem: 0 or 1."""
    return lambda handle: int((which, handle._number()) in known(handle._store.iis))


def part_in_iis(handle: Any) -> int:
    """Whether a part beside rows is in the subsystem, as 0 or 1."""
    return int(handle._part in known(handle._store.iis))


def further_cost(var: Any) -> float:
    """The coefficient in the objective that ObjNumber asks for."""
    goal = goal_read(var._store, number := var._store.params["ObjNumber"])
    if number == 0:
        return float(var._store.cost[var._col])
    pairs = zip(goal.coeffs, goal.variables, strict=True)
    return float(sum(c for c, other in pairs if other is var))


def set_further_cost(var: Any, cost: float) -> None:
    """Set the coefficient in the objective that ObjNumber asks for."""
    later_of_goal(var._store, partial(_put_further_cost, var, cost))


def _put_further_cost(var: Any, cost: float, number: int, goal: Goal) -> None:
    if number == 0:
        var._store.cost[var._col] = cost
        return
    kept = [(c, v) for c, v in zip(goal.coeffs, goal.variables, strict=True) if v is not var]
    goal.coeffs = [c for c, _ in kept] + [cost]
    goal.variables = [v for _, v in kept] + [var]


def converted(attribute: Attribute, value: Any) -> Any:
    """The value as the attribute's type; AttributeError as Gurobi says it."""
    try:
        if isinstance(value, str) != (attribute.takes in ("string", "character")):
            raise TypeError
        if attribute.takes == "integer" and not isinstance(value, int):
            raise TypeError
        if attribute.takes == "character":
            return kind_of(value) if attribute.name == "VType" else _sense(value)
        found = {"string": str, "integer": int, "double": float}[attribute.takes](value)
        if attribute.name.endswith("Name"):
            called(found)
        if found != found:
            raise AttributeError("Element 0 of a double array is Nan.")
        return found
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
        raise invalid(f"Invalid variable type '{letter[0]}'")
    return found


def _sense(text: str) -> str:
    if text[:1] not in ("<", ">", "="):
        raise invalid(f"Invalid constraint sense: '{text}'")
    return text[0]


def infinite(value: float, large: float = ENDLESS) -> float:
    """A bound with Gurobi's large numbers made infinite."""
    return float("inf") if value >= large else -float("inf") if value <= -large else value


def _extra(name: str, default: Any, takes: str, hint: bool = False) -> Attribute:
    """An attribute that only lies with the handle."""

    def get(handle: Any) -> Any:
        return handle._store.extra.get(name, {}).get(handle, default)

    def put(handle: Any, value: Any) -> None:
        handle._store.extra.setdefault(name, {})[handle] = value

    return Attribute(name, get, put, takes, hint, default=default)


def _start(var: Any) -> float:
    """The start that StartNumber asks for."""
    store, number = var._store, var._store.params["StartNumber"]
    if number < 0 or number >= max(store.start_count, 1):
        raise UnavailableError
    return float(store.extra.get(start_name(number), {}).get(var, _UNKNOWN))


def _set_start(var: Any, value: float) -> None:
    store, number = var._store, var._store.params["StartNumber"]
    if number >= max(store.start_count, 1):
        raise AttributeError("StartNumber is larger than NumStart")
    number = store.start_count if number < 0 else number
    store.start_count = max(store.start_count, number + 1)
    store.later(lambda: store.extra.setdefault(start_name(number), {}).update({var: value}))


def start_name(number: int) -> str:
    """Where a start lies."""
    return f"Start {number}" if number else "Start"


def _lacking(name: str) -> Attribute:
    """An attribute of a solution that this layer's solvers do not give."""

    def get(handle: Any) -> Any:
        barred = name in _OF_BARRIER and handle._store.params["Method"] != GRB.METHOD_BARRIER
        if handle._store.result is None or barred:
            raise UnavailableError
        raise unsupported(f"attribute {name}")

    return Attribute(name, get)


_OF_BARRIER = ("BarX", "BarPi")


def _basis(name: str) -> Attribute:
    """A basis status; one that is given for a warm start is kept and not needed."""
    given = _extra(name, _UNKNOWN, "integer", hint=True)
    return replace(given, get=lambda handle: basis.status_of(handle, name))


def _ranged(name: str, get: Callable[..., float], *which: int) -> list[Attribute]:
    """The two ends of a range."""
    low, up = (lambda handle, end=end: get(handle, *which, end) for end in ("low", "up"))
    return [Attribute(f"{name}Low", low), Attribute(f"{name}Up", up)]


def _set_cost(var: Any, value: float) -> None:
    """Set a cost; a piecewise-linear one goes."""
    if var._col >= 0:
        var._store.cost[var._col] = value
        var._store.pieces.pop(var, None)


def _dual(get: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A dual value, which a model with quadratic constraints has only with QCPDual."""

    def guarded(handle: Any) -> Any:
        state = handle._store
        if state.x is not None and not state.is_mip and state.family("quadratic"):
            if state.params["QCPDual"]:
                raise unsupported("QCPDual (Pi, RC and QCPi where constraints are quadratic)")
            raise UnavailableError
        return get(handle)

    return guarded


_UNKNOWN = GRB.UNDEFINED
VARIABLE = held.table(
    held.of_entry("LB", "lower", infinite),
    held.of_entry("UB", "upper", infinite),
    Attribute("Obj", lambda v: infinite(v._store.cost[v._col], GRB.INFINITY), _set_cost),
    held.of_entry("VType", "kinds", KINDS.__getitem__, int, "character"),
    held.of_name("VarName", "col_names", ElementNames.__getitem__),
    Attribute("X", held.value),
    Attribute("Xn", pool_value),
    Attribute("PoolNX", pool_value),
    Attribute("RC", _dual(held.reduced_cost)),
    Attribute("IISLB", in_iis("col_lower")),
    Attribute("IISUB", in_iis("col_upper")),
    Attribute("ObjN", further_cost, set_further_cost, at_once=True),
    Attribute("PWLObjCvx", lambda v: int(is_convex(v._store, v))),
    Attribute("Start", _start, _set_start, at_once=True),
    _extra("VarHintVal", _UNKNOWN, "double"),
    _extra("VarHintPri", 0, "integer"),
    _extra("BranchPriority", 0, "integer"),
    _extra("Partition", -1, "integer"),
    _extra("PoolIgnore", 0, "integer"),
    _extra("VTag", "", "string", hint=True),
    _extra("PStart", _UNKNOWN, "double", hint=True),
    _extra("IISLBForce", -1, "integer"),
    _extra("IISUBForce", -1, "integer"),
    _basis(VBASIS),
    *_ranged("SAObj", basis.cost_range),
    *_ranged("SALB", basis.bound_range, 0),
    *_ranged("SAUB", basis.bound_range, 2),
    Attribute("UnbdRay", basis.unbounded_ray),
    *(_lacking(n) for n in ("BarX", "ScenNX", "ScenNLB", "ScenNUB", "ScenNObj")),
    *(_lacking(n) for n in ("PreFixVal", "VarPreStat")),
)
CONSTRAINT = held.table(
    held.of_name("ConstrName", "row_names", ElementNames.__getitem__),
    held.of_entry("RHS", "rhs", lambda side: infinite(side, GRB.INFINITY), place="_row"),
    held.of_entry("Sense", "senses", chr, ord, "character", "_row"),
    Attribute("Pi", _dual(held.dual)),
    Attribute("Slack", lambda c: c._store.rhs[c._row] - held.activity(c)),
    Attribute("IISConstr", in_iis("row")),
    _extra("Lazy", 0, "integer"),
    _extra("CTag", "", "string", hint=True),
    _extra("DStart", _UNKNOWN, "double", hint=True),
    _extra("IISConstrForce", -1, "integer"),
    _basis(CBASIS),
    *_ranged("SARHS", basis.side_range),
    Attribute("FarkasDual", basis.farkas_dual),
    *(_lacking(n) for n in ("BarPi", "ScenNRHS")),
)
QUADRATIC = held.table(
    held.of_part("QCName", "name", "string"),
    held.of_part("QCSense", "sense", "character"),
    held.of_part("QCRHS", "rhs", "double"),
    Attribute("QCSlack", lambda q: q._part.rhs - held.quadratic_activity(q)),
    Attribute("IISQConstr", part_in_iis),
    _extra("QCTag", "", "string", hint=True),
    _extra("IISQConstrForce", -1, "integer"),
    Attribute("QCPi", _dual(lambda q: known(None))),
)
GENERAL = held.table(
    held.of_part("GenConstrName", "name", "string", "GC"),
    Attribute("GenConstrType", lambda g: general_type(g._part)),
    Attribute("IISGenConstr", part_in_iis),
    _extra("IISGenConstrForce", -1, "integer"),
    _extra("FuncPieces", 0, "integer"),
    _extra("FuncPieceError", 1e-3, "double"),
    _extra("FuncPieceLength", 1e-2, "double"),
    _extra("FuncPieceRatio", -1.0, "double"),
    _extra("FuncNonlinear", 1, "integer"),
)
SETS = held.table(Attribute("IISSOS", part_in_iis), _extra("IISSOSForce", -1, "integer"))


class Handle(held.Handle):
    """Attribute access by Gurobi's names, whatever their case.

    `_awaits()` says whether it was added after the last update.
    """

    __slots__ = ()
    _awaits: Callable[[], bool]

    def getAttr(self, attrname: str) -> Any:
        attribute = self._found(attrname)
        self._check()
        if self._awaits():
            raise UnreadError(
                "INDEX_OUT_OF_RANGE", f"Index{{}} out of range for attribute '{attribute.name}'"
            )
        try:
            return attribute.get(self)
        except UnavailableError:
            text = f"Unable to retrieve attribute '{attrname}'"
            raise UnreadError("DATA_NOT_AVAILABLE", text) from None

    def setAttr(self, attrname: str, newval: Any) -> None:
        """Set an attribute, seen after the next update."""
        attribute = self._found(attrname)
        if attribute.set is None:
            raise AttributeError(f"Attribute '{attrname}' cannot be set")
        value = converted(attribute, newval)
        self._check()
        attribute.put(self._store, self, value)

    _read, _write = getAttr, setAttr

    def _found(self, name: str) -> Attribute:
        attribute = self._table.get(named(name).lower())
        if attribute is None or self._store.freed:
            raise AttributeError(f"'gurobipy.{self._what}' object has no attribute '{name}'")
        return attribute

    def prefetchAttr(self, attrname: str) -> None:
        """Nothing: attributes are at hand."""

    def sameAs(self, other: Any) -> bool:
        """Whether both are the same object of the model."""
        return self is other

    def _check(self) -> None:
        if self._number() < 0:
            raise GurobiError(0, f"{self._what} was removed from the model")

    @property
    def index(self) -> int:
        """The number, of a row or column that of the next update before it; -2 once removed."""
        return -2 if self._number() < 0 else self._number()


class Var(GurobiOperators, Handle, core.Var):
    """A variable."""

    __slots__ = ("__dict__",)
    __hash__ = core.Var.__hash__
    _what, _table = "Var", VARIABLE

    def _value(self, spelling: str) -> Any:
        """The value in the solution."""
        values = self._store.x
        live = values is not None and 0 <= self._col < self._store.cols_live
        return values[self._col] if live else self._read(spelling)

    X: Any = property(lambda self: self._value("X"), doc=_value.__doc__)
    x: Any = property(lambda self: self._value("x"), doc=_value.__doc__)

    @property
    def nl(self) -> Any:
        """The variable as a nonlinear expression."""
        return formula("leaf", self)

    def _number(self) -> int:
        return self._col

    def _awaits(self) -> bool:
        return bool(self._col >= self._store.cols_live)

    def _label(self) -> str:
        """What it is called in an expression's text."""
        return repr(self) if self._col < 0 or self._awaits() else super()._label()

    def __repr__(self) -> str:
        label = self._store.label(self._col)
        if not label.startswith("*") and self._store.x is not None:
            label = f"{label} (value {self._store.x[self._col]})"
        return f"<gurobi.Var {label}>"


class Constr(Handle, held.RowHandle):
    """A linear constraint."""

    __slots__ = ("__dict__",)
    _what, _table = "Constr", CONSTRAINT

    def _awaits(self) -> bool:
        return bool(self._row >= self._store.rows_live)

    def __repr__(self) -> str:
        if self._row < 0:
            return "<gurobi.Constr *Removed*>"
        if self._awaits():
            return "<gurobi.Constr *Awaiting Model Update*>"
        return f"<gurobi.Constr {self._store.row_names[self._row]}>"


class PartHandle(Handle, held.PartHandle):
    """A handle of a part beside columns and rows."""

    __slots__ = ("__dict__",)
    _gone = "*Removed*"

    def _number(self) -> int:
        if self._part.removed:
            return -1
        return 1 << 60 if self._awaits() else self._part.number

    @property
    def index(self) -> int:
        """The number; -1 before the update, -2 once removed."""
        return -1 if self._awaits() and not self._part.removed else super().index

    def _check(self) -> None:
        super()._check()
        if self._awaits():
            raise GurobiError(0, f"{self._what} has not yet been added to the model")

    def _awaits(self) -> bool:
        return self._part.number < 0

    def _shown(self) -> str:
        return "*Awaiting Model Update*" if self._awaits() else str(self._part.number)

    def __repr__(self) -> str:
        return f"<gurobi.{self._what} {self._gone if self._part.removed else self._shown()}>"


class QConstr(PartHandle):
    """A quadratic constraint."""

    __slots__ = ()
    _what, _table = "QConstr", QUADRATIC
    _gone = "Deleted"

    def _shown(self) -> str:
        return "Not Yet Added" if self._awaits() else str(self._part.name)


class GenConstr(PartHandle):
    """A general constraint."""

    __slots__ = ()
    _what, _table = "GenConstr", GENERAL


class SOS(PartHandle):
    """A special ordered set."""

    __slots__ = ()
    _what, _table = "SOS", SETS


TABLES = {kind._what: kind._table for kind in (Var, Constr, QConstr, GenConstr, SOS)}
new_var: Callable[[Any, int], Var] = held.maker(Var, core.Var, "_col")
"""The handle of a column."""
new_constr: Callable[[Any, int], Constr] = held.maker(Constr, held.RowHandle, "_row")
"""The handle of a row."""

for _class in (Var, Constr, QConstr, GenConstr, SOS):
    _class.__module__ = "gurobipy"
