"""What a program holds (variables, constraints, other parts) and its attributes in any spelling."""

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ordojo.compat import transport
from ordojo.compat.core import expressions as core
from ordojo.compat.core.shared import maker
from ordojo.compat.core.store import (
    LARGE,
    FormulaPart,
    GeneralPart,
    IndicatorPart,
    StoredConstraint,
)
from ordojo.compat.gurobipy.constants import GRB
from ordojo.compat.gurobipy.errors import GurobiError, UnavailableError, failure, known, unsupported
from ordojo.compat.gurobipy.expressions import GurobiOperators, LinExpr, QuadExpr, TempConstr, Term
from ordojo.compat.gurobipy.solving import problem_now
from ordojo.compat.messages import Analysis
from ordojo.solvers.problem import GeneralFunction

TYPES = {
    GeneralFunction.MAX: GRB.GENCONSTR_MAX,
    GeneralFunction.MIN: GRB.GENCONSTR_MIN,
    GeneralFunction.ABS: GRB.GENCONSTR_ABS,
    GeneralFunction.AND: GRB.GENCONSTR_AND,
    GeneralFunction.OR: GRB.GENCONSTR_OR,
    GeneralFunction.NORM: GRB.GENCONSTR_NORM,
    GeneralFunction.PWL: GRB.GENCONSTR_PWL,
    GeneralFunction.POLY: GRB.GENCONSTR_POLY,
    GeneralFunction.EXP: GRB.GENCONSTR_EXP,
    GeneralFunction.EXPA: GRB.GENCONSTR_EXPA,
    GeneralFunction.LOG: GRB.GENCONSTR_LOG,
    GeneralFunction.LOGA: GRB.GENCONSTR_LOGA,
    GeneralFunction.POW: GRB.GENCONSTR_POW,
    GeneralFunction.SIN: GRB.GENCONSTR_SIN,
    GeneralFunction.COS: GRB.GENCONSTR_COS,
    GeneralFunction.TAN: GRB.GENCONSTR_TAN,
    GeneralFunction.LOGISTIC: GRB.GENCONSTR_LOGISTIC,
}


def general_type(part: StoredConstraint) -> int:
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
    return float(known(var._store.x)[var._col])


def pool_value(var: Any) -> float:
    """A variable's value in the solution of the pool that SolutionNumber asks for."""
    number = var._store.params["SolutionNumber"]
    found = known(solution(var._store, number))
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
    return float(known(known(var._store.result).col_dual)[var._col])


def dual(constr: Any) -> float:
    """A row's dual value."""
    return float(known(known(constr._store.result).row_dual)[constr._row])


def slack(constr: Any) -> float:
    """The right side less the row's value."""
    store = constr._store
    values = known(store.x)
    index, coeffs = store.row(constr._row)
    activity = sum(c * values[j] for j, c in zip(index, coeffs, strict=True))
    return float(store.rhs[constr._row] - activity)


def quadratic_slack(handle: Any) -> float:
    """The right side less the value of a quadratic constraint."""
    known(handle._store.x)
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


def part_in_iis(handle: Any) -> int:
    """Whether a part beside rows is in the subsystem, as 0 or 1."""
    known(handle._store.iis)
    return int(any(part is handle._part for part in handle._store.iis_parts))


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
        raise unsupported(
            "setting ObjN of an objective that does not exist", "set it by setObjectiveN first"
        )
    kept = [(c, v) for c, v in zip(goal.coeffs, goal.variables, strict=True) if v is not var]
    goal.coeffs = [c for c, _ in kept] + [cost]
    goal.variables = [v for _, v in kept] + [var]


def violations(store: Any) -> dict[str, float]:
    """The largest violations of bounds, rows and integrality at the solution."""
    x = np.array(known(store.x)[: len(store.columns)])
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


def _put_cost(var: Any, value: float) -> None:
    """Set a cost; a piecewise-linear one goes."""
    if var._col >= 0:
        var._store.cost[var._col] = value
        var._store.extra.get("PWLObj", {}).pop(var, None)


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


def _quadratic_dual(handle: Any) -> Any:
    if not handle._store.params["QCPDual"]:
        raise UnavailableError
    raise unsupported("attribute QCPi")


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
    Attribute("Obj", lambda v: infinite(v._store.cost[v._col]), _put_cost),
    Attribute("VType", lambda v: KINDS[v._store.kinds[v._col]], _set_kind, "character"),
    _name("VarName", "col_names", "_col"),
    Attribute("X", value),
    Attribute("Xn", pool_value),
    Attribute("PoolNX", pool_value),
    Attribute("RC", reduced_cost),
    Attribute("IISLB", in_iis("lb")),
    Attribute("IISUB", in_iis("ub")),
    Attribute("ObjN", further_cost, set_further_cost),
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
    _basis("VBasis", variable_basis),
    _ranged("SAObjLow", cost_range, "low"),
    _ranged("SAObjUp", cost_range, "up"),
    _ranged("SALBLow", bound_range, 0, "low"),
    _ranged("SALBUp", bound_range, 0, "up"),
    _ranged("SAUBLow", bound_range, 2, "low"),
    _ranged("SAUBUp", bound_range, 2, "up"),
    Attribute("UnbdRay", unbounded_ray),
    *(_lacking(n) for n in ("BarX", "ScenNX", "ScenNLB", "ScenNUB", "ScenNObj")),
    *(_lacking(n) for n in ("PreFixVal", "VarPreStat")),
)
CONSTRAINT = _table(
    _name("ConstrName", "row_names", "_row"),
    Attribute("RHS", lambda c: c._store.rhs[c._row], _set_rhs),
    Attribute("Sense", lambda c: chr(c._store.senses[c._row]), _set_sense, "character"),
    Attribute("Pi", dual),
    Attribute("Slack", slack),
    Attribute("IISConstr", in_iis("row")),
    _extra("Lazy", 0, "integer"),
    _extra("CTag", "", "string", hint=True),
    _extra("DStart", _UNKNOWN, "double", hint=True),
    _extra("IISConstrForce", -1, "integer"),
    _basis("CBasis", row_basis),
    _ranged("SARHSLow", side_range, "low"),
    _ranged("SARHSUp", side_range, "up"),
    Attribute("FarkasDual", farkas_dual),
    *(_lacking(n) for n in ("BarPi", "ScenNRHS")),
)
QUADRATIC = _table(
    _of_part("QCName", "name", "string", "QC"),
    _of_part("QCSense", "sense", "character"),
    _of_part("QCRHS", "rhs", "double"),
    Attribute("QCSlack", quadratic_slack),
    Attribute("IISQConstr", part_in_iis),
    _extra("QCTag", "", "string", hint=True),
    _extra("IISQConstrForce", -1, "integer"),
    Attribute("QCPi", _quadratic_dual),
)
GENERAL = _table(
    _of_part("GenConstrName", "name", "string", "GC"),
    Attribute("GenConstrType", lambda g: general_type(g._part)),
    Attribute("IISGenConstr", part_in_iis),
    _extra("IISGenConstrForce", -1, "integer"),
    _extra("FuncPieces", 0, "integer"),
    _extra("FuncPieceError", 1e-3, "double"),
    _extra("FuncPieceLength", 1e-2, "double"),
    _extra("FuncPieceRatio", -1.0, "double"),
    _extra("FuncNonlinear", 1, "integer"),
)
SETS = _table(Attribute("IISSOS", part_in_iis), _extra("IISSOSForce", -1, "integer"))
TABLES = {
    "Var": VARIABLE,
    "Constr": CONSTRAINT,
    "QConstr": QUADRATIC,
    "GenConstr": GENERAL,
    "SOS": SETS,
}


class Handle:
    """Attribute access by Gurobi's names, whatever their case."""

    __slots__ = ()
    _what: ClassVar[str]
    _store: Any

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"'gurobipy.{self._what}' object has no attribute '{name}'")
        return read(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            object.__setattr__(self, name, value)
        else:
            write(self, name, value)

    def getAttr(self, attrname: str) -> Any:
        """An attribute's value."""
        return read(self, attrname)

    def setAttr(self, attrname: str, newval: Any) -> None:
        """Set an attribute, seen after the next update."""
        write(self, attrname, newval)

    def prefetchAttr(self, attrname: str) -> None:
        """Nothing: attributes are at hand."""

    def sameAs(self, other: Any) -> bool:
        """Whether both are the same object of the model."""
        return self is other

    @abstractmethod
    def _number(self) -> int:
        """The place in the model; -1 where removed."""

    @abstractmethod
    def _live(self) -> int:
        """How many of the kind the last update left."""

    def _awaits(self) -> bool:
        return self._number() >= self._live()

    def _check(self) -> None:
        if self._number() < 0:
            raise GurobiError(0, f"{self._what} was removed from the model")


class Var(GurobiOperators, Handle, core.Var):
    """A variable."""

    __slots__ = ("__dict__",)
    __hash__ = core.Var.__hash__
    __mul__ = core.Var.__mul__
    __rmul__ = core.Var.__mul__
    _what = "Var"
    _term, _lin, _quad, _relation = Term, LinExpr, QuadExpr, TempConstr

    @property
    def X(self) -> float:
        """The value in the solution."""
        return self._value("X")

    @property
    def x(self) -> float:
        """The value in the solution."""
        return self._value("x")

    def _value(self, spelling: str) -> float:
        values = self._store.x
        if values is None or not 0 <= self._col < self._store.cols_live:
            found: float = read(self, spelling)
            return found
        number: float = values[self._col]
        return number

    @property
    def index(self) -> int:
        """The column's number, that of the next update before it; -2 once removed."""
        return -2 if self._col < 0 else self._col

    @property
    def nl(self) -> Any:
        """The variable as a nonlinear expression."""
        from ordojo.compat.gurobipy.expressions import formula

        return formula("leaf", self)

    def _number(self) -> int:
        return self._col

    def _live(self) -> int:
        live: int = self._store.cols_live
        return live

    def _label(self) -> str:
        """What it is called in an expression's text."""
        return repr(self) if self._col < 0 or self._awaits() else super()._label()

    def __repr__(self) -> str:
        label = self._store.label(self._col)
        if not label.startswith("*") and self._store.x is not None:
            label = f"{label} (value {self._store.x[self._col]})"
        return f"<gurobi.Var {label}>"


class Constr(Handle):
    """A linear constraint."""

    __slots__ = ("__dict__", "_row", "_store")
    _what = "Constr"
    _row: int

    @property
    def index(self) -> int:
        """The row's number, that of the next update before it; -2 once removed."""
        return -2 if self._row < 0 else self._row

    def _number(self) -> int:
        return self._row

    def _live(self) -> int:
        live: int = self._store.rows_live
        return live

    def __repr__(self) -> str:
        if self._row < 0:
            return "<gurobi.Constr *Removed*>"
        if self._awaits():
            return "<gurobi.Constr *Awaiting Model Update*>"
        return f"<gurobi.Constr {self._store.row_names[self._row]}>"


class PartHandle(Handle):
    """A handle of a part beside columns and rows."""

    __slots__ = ("__dict__", "_part", "_store")
    _part: StoredConstraint

    def __init__(self, store: Any, part: StoredConstraint) -> None:
        self._store, self._part = store, part
        part.handle = self

    @property
    def index(self) -> int:
        """The number among its kind; -1 before the update, -2 once removed."""
        return -2 if self._part.removed else self._part.number

    def _number(self) -> int:
        return (
            -1 if self._part.removed else self._part.number if self._part.number >= 0 else 1 << 60
        )

    def _live(self) -> int:
        return len(self._store.parts.get(self._part.family, ()))

    def _awaits(self) -> bool:
        return self._part.number < 0

    def _shown(self) -> str:
        return "*Awaiting Model Update*" if self._awaits() else str(self._part.number)

    def __repr__(self) -> str:
        return f"<gurobi.{self._what} {'*Removed*' if self._part.removed else self._shown()}>"


class QConstr(PartHandle):
    """A quadratic constraint."""

    __slots__ = ()
    _what = "QConstr"

    def _shown(self) -> str:
        return "Not Yet Added" if self._awaits() else self._part.name or f"QC{self._part.number}"


class GenConstr(PartHandle):
    """A general constraint."""

    __slots__ = ()
    _what = "GenConstr"


class SOS(PartHandle):
    """A special ordered set."""

    __slots__ = ()
    _what = "SOS"


_row_slots: Any = Constr
set_row_store, set_row = _row_slots._store.__set__, _row_slots._row.__set__
new_var: Callable[[Any, int], Var] = maker(Var, core.Var, "_col")
"""The handle of a column."""
new_constr: Callable[[Any, int], Constr] = maker(Constr, Constr, "_row")
"""The handle of a row."""

for _class in (Var, Constr, QConstr, GenConstr, SOS):
    _class.__module__ = "gurobipy"
