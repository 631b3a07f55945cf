"""Variables, constraints and the other things that a program holds, and arrays of them."""
# ruff: noqa: N802

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from ordojo.compat.coptpy.constants import KINDS, cut
from ordojo.compat.coptpy.errors import CoptError, invalid, unsupported
from ordojo.compat.coptpy.expressions import ConstrBuilder, LinExpr, QuadExpr, Spelled, Term
from ordojo.compat.core import expr as core

_new = object.__new__
_SENSITIVE = {"saobjlow", "saobjup", "salblow", "salbup", "saublow", "saubup"}
_RAYS = {"dualfarkas", "primalray"}


class Handle:
    """Information by COPT's names, whatever their case."""

    __slots__ = ()
    _what: ClassVar[str]
    _reads: ClassVar[Mapping[str, Callable[[Any], Any]]]
    _writes: ClassVar[Mapping[str, Callable[[Any, Any], None]]]
    _store: Any

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        return self.getInfo(name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in ("_store", "_col", "_row", "_part"):
            object.__setattr__(self, name, value)
        else:
            self.setInfo(name, value)

    def getInfo(self, infoname: str) -> Any:
        """A piece of information by name."""
        lower = infoname.lower()
        read = self._reads.get(lower)
        if read is None and lower in _SENSITIVE | _RAYS:
            raise unsupported(f"information '{infoname}'")
        if read is None or self._place() < 0:
            raise self._failed()
        return read(self)

    def setInfo(self, infoname: str, newval: Any) -> None:
        """Change a piece of information."""
        write = self._writes.get(infoname.lower())
        if write is None or self._place() < 0:
            raise invalid(f"Unknown {self._what} information")
        write(self, newval)

    def getName(self) -> str:
        """The name."""
        name: str = self.getInfo("name")
        return name

    def setName(self, newname: str) -> None:
        """Give it another name."""
        self.setInfo("name", newname)

    def getIdx(self) -> int:
        """The number; negative once removed."""
        return self._place()

    def _failed(self) -> CoptError:
        return invalid(f"Fail to get a {self._what} information")

    def _place(self) -> int:
        raise NotImplementedError

    def __repr__(self) -> str:
        name = self._reads["name"](self) if self._place() >= 0 else ""
        return f"<coptpy.{type(self).__name__}: {name}>"


def _solution(var: Any) -> float:
    values = var._store.values()
    if values is None:
        raise var._failed()
    number: float = values[var._col]
    return number


def _reduced(var: Any) -> float:
    state = var._store
    if state.values() is None or state.result.col_dual is None:
        raise var._failed()
    return float(state.result.col_dual[var._col])


def _column(which: str) -> tuple[Any, Any]:
    def read(var: Any) -> float:
        return cut(getattr(var._store, which)[var._col])

    def write(var: Any, value: Any) -> None:
        getattr(var._store, which)[var._col] = cut(float(value))

    return read, write


def _set_kind(var: Any, letter: Any) -> None:
    var._store.kinds[var._col] = kind_of(letter)


def kind_of(letter: Any) -> int:
    """The code of a variable type's letter."""
    found = KINDS.find(letter) if isinstance(letter, str) and len(letter) == 1 else -1
    if found < 0:
        raise invalid("Fail to set variable type")
    return found


def _basis(handle: Any) -> int:
    if handle._store.x is None:
        raise invalid(f"Fail to get {handle._what} basis")
    raise unsupported("the simplex basis")


def _in_iis(which: str) -> Callable[[Any], int]:
    def read(handle: Any) -> int:
        iis = handle._store.iis
        if iis is None:
            raise invalid(f"Fail to get IIS status of {handle._what}")
        return int(handle._place() in iis[which])

    return read


def _relaxed(which: str) -> Callable[[Any], float]:
    def read(handle: Any) -> float:
        found = handle._store.relaxed
        if found is None:
            raise handle._failed()
        return float(found[which][handle._place()])

    return read


_lower, _set_lower = _column("lower")
_upper, _set_upper = _column("upper")
_cost, _set_cost = _column("cost")


class Var(Spelled, Handle, core.Var):
    """A variable."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]
    __mul__ = core.Var.__mul__
    __rmul__ = core.Var.__mul__
    _what = "variable"
    _term, _lin, _quad, _relation = Term, LinExpr, QuadExpr, ConstrBuilder
    _reads: ClassVar[Mapping[str, Callable[[Any], Any]]] = {
        "lb": _lower,
        "ub": _upper,
        "obj": _cost,
        "vtype": lambda v: KINDS[v._store.kinds[v._col]],
        "name": lambda v: v._store.col_names.given(v._col),
        "x": _solution,
        "value": _solution,
        "rc": _reduced,
        "redcost": _reduced,
        "basis": _basis,
        "index": lambda v: v._col,
        "branchfactor": lambda v: 1.0,
        "iislb": _in_iis("col_lower"),
        "iisub": _in_iis("col_upper"),
        "relaxlb": _relaxed("lower"),
        "relaxub": _relaxed("upper"),
        "relaxvalue": _relaxed("value"),
    }
    _writes: ClassVar[Mapping[str, Callable[[Any, Any], None]]] = {
        "lb": _set_lower,
        "ub": _set_upper,
        "obj": _set_cost,
        "vtype": _set_kind,
        "name": lambda v, name: v._store.col_names.rename(v._col, name),
        "branchfactor": lambda v, value: None,
    }

    @property
    def x(self) -> float:
        """The value in the solution."""
        return _solution(self)

    @x.setter
    def x(self, value: Any) -> None:
        raise invalid("Unknown variable information")

    @property
    def X(self) -> float:
        """The value in the solution."""
        return _solution(self)

    @X.setter
    def X(self, value: Any) -> None:
        raise invalid("Unknown variable information")

    @property
    def index(self) -> int:
        """The number; negative once removed."""
        return self._col

    @property
    def size(self) -> int:
        """One."""
        return 1

    @property
    def shape(self) -> tuple[int, ...]:
        """Of no dimension."""
        return ()

    def getType(self) -> str:
        """The letter of the type."""
        letter: str = self.getInfo("vtype")
        return letter

    def setType(self, newtype: str) -> None:
        """Change the type."""
        self.setInfo("vtype", newtype)

    def getBasis(self) -> int:
        """Not supported."""
        return _basis(self)

    def getLowerIIS(self) -> int:
        """Whether the lower bound is in the infeasible subsystem."""
        return int(self.getInfo("iislb"))

    def getUpperIIS(self) -> int:
        """Whether the upper bound is in the infeasible subsystem."""
        return int(self.getInfo("iisub"))

    def remove(self) -> None:
        """Take it out of the model."""
        self._store.remove(self)
        self._store.update()

    def _place(self) -> int:
        return self._col

    def _failed(self) -> CoptError:
        return invalid("Fail to get variable information")


def _dual(constr: Any) -> float:
    result = _row_result(constr)
    if result.row_dual is None:
        raise constr._failed()
    return float(result.row_dual[constr._row])


def _row_result(constr: Any) -> Any:
    state = constr._store
    if state.outcome.rows != len(state.rows) or state.x is None:
        raise constr._failed()
    return state.result


def _activity(constr: Any) -> float:
    _row_result(constr)
    state = constr._store
    state.update()
    values, (index, coeffs) = state.x, state.row(constr._row)
    return float(sum(c * values[j] for j, c in zip(index, coeffs, strict=True)))


def _set_side(place: int) -> Callable[[Any, Any], None]:
    def write(constr: Any, value: Any) -> None:
        both = list(constr._store.sides(constr._row))
        both[place] = cut(float(value))
        constr._store.set_sides(constr._row, *both)

    return write


class Constraint(Handle):
    """A linear constraint."""

    __slots__ = ("_row", "_store")
    _row: int
    _what = "constraint"
    _reads: ClassVar[Mapping[str, Callable[[Any], Any]]] = {
        "lb": lambda c: c._store.sides(c._row)[0],
        "ub": lambda c: c._store.sides(c._row)[1],
        "name": lambda c: c._store.row_names.given(c._row),
        "index": lambda c: c._row,
        "pi": _dual,
        "dual": _dual,
        "slack": _activity,
        "basis": _basis,
        "iislb": _in_iis("row_lower"),
        "iisub": _in_iis("row_upper"),
        "relaxlb": _relaxed("row_lower"),
        "relaxub": _relaxed("row_upper"),
    }
    _writes: ClassVar[Mapping[str, Callable[[Any, Any], None]]] = {
        "lb": _set_side(0),
        "ub": _set_side(1),
        "name": lambda c, name: c._store.row_names.rename(c._row, name),
    }

    @property
    def index(self) -> int:
        """The number; negative once removed."""
        return self._row

    def getBasis(self) -> int:
        """Not supported."""
        return _basis(self)

    def getLowerIIS(self) -> int:
        """Whether the lower side is in the infeasible subsystem."""
        return int(self.getInfo("iislb"))

    def getUpperIIS(self) -> int:
        """Whether the upper side is in the infeasible subsystem."""
        return int(self.getInfo("iisub"))

    def remove(self) -> None:
        """Take it out of the model."""
        self._store.remove(self)
        self._store.update()

    def _place(self) -> int:
        return self._row


_VAR_SLOTS: Any = core.Var
_ROW_SLOTS: Any = Constraint
_set_store, _set_col = _VAR_SLOTS._store.__set__, _VAR_SLOTS._col.__set__
_set_row_store, _set_row = _ROW_SLOTS._store.__set__, _ROW_SLOTS._row.__set__


def new_var(store: Any, col: int) -> Var:
    """The handle of a column."""
    var = _new(Var)
    _set_store(var, store)
    _set_col(var, col)
    return var


def new_constr(store: Any, row: int) -> Constraint:
    """The handle of a row."""
    constr = _new(Constraint)
    _set_row_store(constr, store)
    _set_row(constr, row)
    return constr


for _class in (Var, Constraint):
    _class.__module__ = "coptcore"
