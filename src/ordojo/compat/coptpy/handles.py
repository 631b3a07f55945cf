"""Variables, constraints and other parts, their information, and arrays of them."""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, ClassVar

from ordojo.compat.coptpy.constants import KINDS, cut
from ordojo.compat.coptpy.errors import CoptError, invalid, unsupported
from ordojo.compat.coptpy.expressions import (
    ConstrBuilder,
    CoptOperators,
    LinExpr,
    QuadExpr,
    Term,
    tupledict,
)
from ordojo.compat.core import expressions as core
from ordojo.compat.core.assemble import sides
from ordojo.compat.core.shared import maker
from ordojo.compat.core.store import StoredConstraint

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

    index = property(getIdx)

    def _failed(self) -> CoptError:
        return invalid(f"Fail to get a {self._what} information")

    @abstractmethod
    def _place(self) -> int:
        """The number in the model; negative once removed."""

    def __repr__(self) -> str:
        name = self._reads["name"](self) if self._place() >= 0 else ""
        return f"<coptpy.{type(self).__name__}: {name}>"


def kind_of(letter: Any) -> int:
    """The code of a variable type's letter."""
    found = KINDS.find(letter) if isinstance(letter, str) and len(letter) == 1 else -1
    if found < 0:
        raise invalid("Fail to set variable type")
    return found


def basis(handle: Any) -> int:
    """Not supported."""
    if handle._store.x is None:
        raise invalid(f"Fail to get {handle._what} basis")
    raise unsupported("the simplex basis")


def in_iis(which: str) -> Callable[[Any], int]:
    """Whether a side of this kind is in the infeasible subsystem."""

    def read(handle: Any) -> int:
        iis = handle._store.iis
        if iis is None:
            raise invalid(f"Fail to get IIS status of {handle._what}")
        return int(handle._place() in iis[which])

    return read


def relaxed(which: str) -> Callable[[Any], float]:
    """What `feasRelax` has left of this kind."""

    def read(handle: Any) -> float:
        found = handle._store.relaxed
        if found is None:
            raise handle._failed()
        return float(found[which][handle._place()])

    return read


class Placed(Handle):
    """A variable or linear constraint."""

    __slots__ = ()

    def getBasis(self) -> int:
        """Not supported."""
        return basis(self)

    def getLowerIIS(self) -> int:
        """Whether the lower bound or side is in the infeasible subsystem."""
        return int(self.getInfo("iislb"))

    def getUpperIIS(self) -> int:
        """Whether the upper bound or side is in the infeasible subsystem."""
        return int(self.getInfo("iisub"))

    def remove(self) -> None:
        """Take it out of the model."""
        self._store.remove(self)
        self._store.update()


def _solution(var: Any) -> float:
    values = var._store.values()
    if values is None:
        raise var._failed()
    number: float = values[var._col]
    return number


def _refuse_value(var: Any, value: Any) -> None:
    raise invalid("Unknown variable information")


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


_lower, _set_lower = _column("lower")
_upper, _set_upper = _column("upper")
_cost, _set_cost = _column("cost")


class Var(CoptOperators, Placed, core.Var):
    """A variable."""

    __slots__ = ()
    __hash__: Any = None
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
        "basis": basis,
        "index": lambda v: v._col,
        "branchfactor": lambda v: 1.0,
        "iislb": in_iis("col_lower"),
        "iisub": in_iis("col_upper"),
        "relaxlb": relaxed("lower"),
        "relaxub": relaxed("upper"),
        "relaxvalue": relaxed("value"),
    }
    _writes: ClassVar[Mapping[str, Callable[[Any, Any], None]]] = {
        "lb": _set_lower,
        "ub": _set_upper,
        "obj": _set_cost,
        "vtype": _set_kind,
        "name": lambda v, name: v._store.col_names.rename(v._col, name),
        "branchfactor": lambda v, value: None,
    }

    x = X = property(_solution, _refuse_value, doc="The value in the solution.")
    size = property(lambda self: 1, doc="One.")
    shape = property(lambda self: (), doc="Of no dimension.")

    def getType(self) -> str:
        """The letter of the type."""
        letter: str = self.getInfo("vtype")
        return letter

    def setType(self, newtype: str) -> None:
        """Change the type."""
        self.setInfo("vtype", newtype)

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


class Constraint(Placed):
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
        "basis": basis,
        "iislb": in_iis("row_lower"),
        "iisub": in_iis("row_upper"),
        "relaxlb": relaxed("row_lower"),
        "relaxub": relaxed("row_upper"),
    }
    _writes: ClassVar[Mapping[str, Callable[[Any, Any], None]]] = {
        "lb": _set_side(0),
        "ub": _set_side(1),
        "name": lambda c, name: c._store.row_names.rename(c._row, name),
    }

    def _place(self) -> int:
        return self._row


new_var: Callable[[Any, int], Var] = maker(Var, core.Var, "_col")
"""The handle of a column."""
new_constr: Callable[[Any, int], Constraint] = maker(Constraint, Constraint, "_row")
"""The handle of a row."""


class PartHandle(Handle):
    """A handle of a part beside columns and rows."""

    __slots__ = ("_part", "_store")
    _part: StoredConstraint

    def __init__(self, store: Any, part: StoredConstraint) -> None:
        self._store, self._part = store, part
        part.handle = self

    def remove(self) -> None:
        """Take it out of the model."""
        self._part.removed = True
        self._store.later(lambda: None)
        self._store.update()

    def _place(self) -> int:
        if self._part.removed:
            return -1
        if self._part.number < 0:
            self._store.update()
        return self._part.number


def _named(more: Mapping[str, Callable[[Any], Any]]) -> Mapping[str, Callable[[Any], Any]]:
    return {"name": lambda h: h._part.name, "index": lambda h: h._place(), **more}


def _rename(handle: Any, name: str) -> None:
    handle._part.name = name


def _no_iis(handle: Any) -> int:
    raise invalid(f"Fail to get IIS status of {handle._what}")


def _quad_activity(handle: Any) -> float:
    if handle._store.values() is None:
        raise handle._failed()
    part = handle._part
    return float(QuadExpr._of(part.linear, *part.products).getValue())


def _quad_side(place: int) -> tuple[Any, Any]:
    def read(handle: Any) -> float:
        part = handle._part
        both = sides(part.sense, part.rhs) if part.low is None else (part.low, part.rhs)
        return cut(both[place])

    def write(handle: Any, value: Any) -> None:
        part, number = handle._part, cut(float(value))
        if (part.sense == "<" and place == 1) or (part.sense == ">" and place == 0):
            part.rhs = number
        else:
            raise unsupported(
                "a quadratic constraint with two sides", "state it as two quadratic constraints"
            )

    return read, write


_quad_lower, _set_quad_lower = _quad_side(0)
_quad_upper, _set_quad_upper = _quad_side(1)


class QConstraint(PartHandle):
    """A quadratic constraint."""

    __slots__ = ()
    _what = "quadratic constraint"
    _reads = _named({"slack": _quad_activity, "lb": _quad_lower, "ub": _quad_upper})
    _writes: ClassVar[Mapping[str, Callable[[Any, Any], None]]] = {
        "name": _rename,
        "lb": _set_quad_lower,
        "ub": _set_quad_upper,
    }


class NlConstraint(PartHandle):
    """A nonlinear constraint."""

    __slots__ = ()
    _what = "nonlinear constraint"
    _reads = _named({})
    _writes: ClassVar[Mapping[str, Callable[[Any, Any], None]]] = {"name": _rename}


class GenConstr(PartHandle):
    """An indicator constraint."""

    __slots__ = ()
    _what = "general constraint"
    _reads = _named({"iis": _no_iis})
    _writes: ClassVar[Mapping[str, Callable[[Any, Any], None]]] = {"name": _rename}

    def getIIS(self) -> int:
        """Not supported."""
        return _no_iis(self)


class GenConstrX(GenConstr):
    """A constraint of a function: max, min, abs, and, or, piecewise-linear."""

    __slots__ = ()

    def getAttr(self, attrname: str) -> Any:
        """The name, or the type's number."""
        return self.getInfo(attrname)

    def __repr__(self) -> str:
        return "<coptpy.GenConstrX>"


class SOS(PartHandle):
    """A special ordered set."""

    __slots__ = ()
    _what = "SOS constraint"
    _reads = _named({"iis": _no_iis})
    _writes: ClassVar[Mapping[str, Callable[[Any, Any], None]]] = {}

    def __repr__(self) -> str:
        return "<coptpy.SOS>"


class Cone(PartHandle):
    """A second-order cone."""

    __slots__ = ()
    _what = "cone"
    _reads = _named({})
    _writes: ClassVar[Mapping[str, Callable[[Any, Any], None]]] = {}

    def __repr__(self) -> str:
        return "<coptpy.Cone>"


for _class in (Var, Constraint, QConstraint, NlConstraint, GenConstr, GenConstrX, SOS, Cone):
    _class.__module__ = "coptcore"


class HandleArray:
    """Several handles of one kind in order."""

    _noun: ClassVar[str] = "Var"

    def __init__(self, items: Any = None) -> None:
        self._items: list[Any] = []
        if items is not None:
            self.pushBack(items)

    def pushBack(self, items: Any) -> None:
        """Add one, or several, at the end."""
        if isinstance(items, Mapping):
            self._items += items.values()
        elif isinstance(items, Handle | ConstrBuilder) or not hasattr(items, "__iter__"):
            self._items.append(items)
        else:
            self._items += items

    def __getitem__(self, idx: Any) -> Any:
        return self._items[idx]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def getAll(self) -> list[Any]:
        """All of them as a list."""
        return list(self._items)

    def getSize(self) -> int:
        """How many there are."""
        return len(self._items)

    tolist, size = getAll, property(getSize)

    def reserve(self, n: int) -> None:
        """Nothing: lists grow by themselves."""

    def __repr__(self) -> str:
        count = len(self._items)
        return f"<coptpy.{type(self).__name__}: {count} {self._noun}(s)>"


def _array(name: str, noun: str, getter: str) -> type[HandleArray]:
    def get(self: HandleArray, idx: int) -> Any:
        return self._items[idx]

    get.__name__, get.__doc__ = getter, "One of them, by its number."
    made = type(name, (HandleArray,), {"_noun": noun, getter: get, "__doc__": f"{noun}s."})
    made.__module__ = "coptcore"
    return made


VarArray = _array("VarArray", "Var", "getVar")
ConstrArray = _array("ConstrArray", "Constraint", "getConstr")
QConstrArray = _array("QConstrArray", "QConstraint", "getQConstr")
NlConstrArray = _array("NlConstrArray", "NlConstraint", "getNlConstr")
GenConstrArray = _array("GenConstrArray", "GenConstr", "getGenConstr")
SOSArray = _array("SOSArray", "SOS", "getSOS")
ConstrBuilderArray = _array("ConstrBuilderArray", "ConstrBuilder", "getBuilder")


def over(things: Any, read: Callable[[Any], Any]) -> Any:
    """What `read` gives for one thing, a list's members, a dictionary's values, an array's."""
    if isinstance(things, Handle):
        return read(things)
    if hasattr(things, "_apply"):
        return things._apply(read)
    if isinstance(things, Mapping):
        return tupledict((key, read(thing)) for key, thing in things.items())
    return [read(core.plain(thing)) for thing in things]


def paired(things: Any, values: Any) -> Iterable[tuple[Any, Any]]:
    """Each thing with its value: one for all, a list's, a dictionary's."""
    if isinstance(things, Handle):
        return [(things, values)]
    if isinstance(things, Mapping):
        if isinstance(values, Mapping):
            return [(thing, values[key]) for key, thing in things.items()]
        several = list(things.values())
    else:
        single = core.plain(things)
        if isinstance(single, Handle):
            return [(single, core.number(values) if core.number(values) is not None else values)]
        several = flattened(things.tolist() if hasattr(things, "tolist") else list(things))
    if isinstance(values, str) or core.number(values) is not None:
        return [(member, values) for member in several]
    if isinstance(values, Mapping):
        values = values.values()
    chosen = flattened(values.tolist() if hasattr(values, "tolist") else list(values))
    if len(chosen) < len(several):
        raise IndexError("list index out of range")
    return list(zip(several, chosen, strict=False))


def flattened(items: list[Any]) -> list[Any]:
    """The members of lists in lists."""
    while items and isinstance(items[0], list):
        items = [item for part in items for item in part]
    return [core.plain(item) for item in items]


def members(args: Any) -> list[Any]:
    """The single things among one, a list's members, a dictionary's values, an array's."""
    single = core.plain(args)
    if isinstance(single, Handle):
        return [single]
    if isinstance(single, Mapping):
        return list(single.values())
    return flattened(single.tolist() if hasattr(single, "tolist") else list(single))
