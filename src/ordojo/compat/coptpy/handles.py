"""Variables, constraints and other parts, their information, and arrays of them."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from ordojo.compat.coptpy.constants import COPT, CoptError, cut, invalid, unsupported
from ordojo.compat.coptpy.expressions import CoptOperators, tupledict
from ordojo.compat.core import expressions as core
from ordojo.compat.core import handles as held
from ordojo.compat.core.calls import refusing
from ordojo.compat.core.handles import KINDS, Attribute, UnavailableError
from ordojo.compat.core.store import ElementNames


class Handle(held.Handle):
    """Information by COPT's names, whatever their case."""

    __slots__ = ()

    def getInfo(self, infoname: str) -> Any:
        attribute = self._table.get(infoname.lower())
        if attribute is None and infoname.lower() in _LACKING:
            raise unsupported(f"information '{infoname}'")
        if attribute is None or self._number() < 0:
            raise self._failed()
        try:
            return attribute.get(self)
        except UnavailableError:
            raise self._failed() from None

    def setInfo(self, infoname: str, newval: Any) -> None:
        attribute = self._table.get(infoname.lower())
        if attribute is None or attribute.set is None or self._number() < 0:
            raise invalid(f"Unknown {self._what} information")
        attribute.set(self, newval)

    _read, _write = getInfo, setInfo

    def getName(self) -> Any:
        return self._read("name")

    def setName(self, newname: str) -> None:
        self._write("name", newname)

    def getIdx(self) -> int:
        """The number; negative once removed."""
        return self._number()

    index = property(getIdx)

    def _failed(self) -> CoptError:
        return invalid(f"Fail to get a {self._what} information")

    def __repr__(self) -> str:
        name = self._read("name") if self._number() >= 0 else ""
        return f"<coptpy.{type(self).__name__}: {name}>"


def kind_of(letter: Any) -> int:
    """The code of a variable type's letter."""
    found = KINDS.find(letter) if isinstance(letter, str) and len(letter) == 1 else -1
    if found < 0:
        raise invalid("Fail to set variable type")
    return found


def given(value: Any) -> float:
    """A bound, side or cost that the program gives."""
    return cut(float(value))


def basis(handle: Any) -> Any:
    """The simplex basis, which is not supported."""
    if handle._store.x is None:
        raise invalid(f"Fail to get {handle._what} basis")
    raise unsupported("the simplex basis")


def in_iis(which: str) -> Callable[[Any], int]:
    """Whether a side of this kind is in the infeasible subsystem."""

    def read(handle: Any) -> int:
        return int((which, handle._number()) in _subsystem(handle))

    return read


def part_in_iis(handle: Any) -> int:
    """Whether a part beside rows is in the infeasible subsystem."""
    return int(handle._part in _subsystem(handle))


def _subsystem(handle: Any) -> set[Any]:
    iis: set[Any] | None = handle._store.iis
    if iis is None:
        raise invalid(f"Fail to get IIS status of {handle._what}")
    return iis


def relaxed(which: str) -> Callable[[Any], float]:
    """What `feasRelax` has left of this kind."""
    return lambda handle: float(held.known(handle._store.relaxed)[which][handle._number()])


class Placed(Handle):
    """A variable or linear constraint."""

    __slots__ = ()
    getBasis = basis

    def getLowerIIS(self) -> Any:
        """Whether the lower bound or side is in the infeasible subsystem."""
        return self._read("iislb")

    def getUpperIIS(self) -> Any:
        """Whether the upper bound or side is in the infeasible subsystem."""
        return self._read("iisub")

    def remove(self) -> None:
        self._store.remove(self)
        self._store.update()


class Var(CoptOperators, Placed, core.Var):
    """A variable."""

    __slots__ = ()
    __hash__: Any = None
    _what = "variable"
    _table = held.table(
        held.of_entry("lb", "lower", cut, given),
        held.of_entry("ub", "upper", cut, given),
        held.of_entry("obj", "cost", cut, given),
        held.of_entry("vtype", "kinds", KINDS.__getitem__, kind_of),
        held.of_name("name", "col_names", ElementNames.given),
        Attribute("x", held.value),
        Attribute("value", held.value),
        Attribute("rc", held.reduced_cost),
        Attribute("redcost", held.reduced_cost),
        Attribute("basis", basis),
        Attribute("index", lambda v: v._col),
        Attribute("branchfactor", lambda v: 1.0, lambda v, value: None),
        Attribute("iislb", in_iis("col_lower")),
        Attribute("iisub", in_iis("col_upper")),
        Attribute("relaxlb", relaxed("col_lower")),
        Attribute("relaxub", relaxed("col_upper")),
        Attribute("relaxvalue", relaxed("value")),
    )

    @property
    def x(self) -> Any:
        values = self._store.values()
        if values is None or self._col < 0:
            raise self._failed()
        return values[self._col]

    X = x
    size = property(lambda self: 1, doc="One.")
    shape = property(lambda self: (), doc="Of no dimension.")

    def getType(self) -> Any:
        return self._read("vtype")

    def setType(self, newtype: str) -> None:
        self._write("vtype", newtype)

    def _number(self) -> int:
        return self._col

    def _failed(self) -> CoptError:
        return invalid("Fail to get variable information")


def _side(name: str, place: int) -> Attribute:
    """The lower (0) or upper (1) side of a row."""

    def put(constr: Any, value: Any) -> None:
        both = list(constr._store.sides(constr._row))
        both[place] = given(value)
        constr._store.set_sides(constr._row, *both)

    return Attribute(name, lambda c: c._store.sides(c._row)[place], put)


class Constraint(Placed, held.RowHandle):
    """A linear constraint."""

    __slots__ = ()
    _what = "constraint"
    _table = held.table(
        _side("lb", 0),
        _side("ub", 1),
        held.of_name("name", "row_names", ElementNames.given),
        Attribute("index", lambda c: c._row),
        Attribute("pi", held.dual),
        Attribute("dual", held.dual),
        Attribute("slack", held.activity),
        Attribute("basis", basis),
        Attribute("iislb", in_iis("row_lower")),
        Attribute("iisub", in_iis("row_upper")),
        Attribute("relaxlb", relaxed("row_lower")),
        Attribute("relaxub", relaxed("row_upper")),
    )


new_var: Callable[[Any, int], Var] = held.maker(Var, core.Var, "_col")
"""The handle of a column."""
new_constr: Callable[[Any, int], Constraint] = held.maker(Constraint, held.RowHandle, "_row")
"""The handle of a row."""

_INDEX = Attribute("index", lambda handle: handle._number())
_NAME = held.of_part("name", "name", "string")
_READ_NAME = Attribute("name", _NAME.get)
_SIDES = ("lb", "ub")


class PartHandle(Handle, held.PartHandle):
    """A handle of a part beside columns and rows."""

    __slots__ = ()

    def remove(self) -> None:
        self._part.removed = True
        self._store.update()

    def _number(self) -> int:
        if self._part.removed:
            return -1
        if self._part.number < 0:
            self._store.update()
        return self._part.number


def _bare(handle: Any) -> str:
    """How a handle is shown that has no name to COPT."""
    return f"<coptpy.{type(handle).__name__}>"


class QConstraint(PartHandle):
    """A quadratic constraint."""

    __slots__ = ()
    _what = "quadratic constraint"
    _table = held.table(
        *(_NAME, _INDEX, Attribute("slack", held.quadratic_activity)),
        *(Attribute(side, refusing(f"{side} of a QConstraint", unsupported)) for side in _SIDES),
    )


class NlConstraint(PartHandle):
    """A nonlinear constraint."""

    __slots__ = ()
    _what, _table = "nonlinear constraint", held.table(_NAME, _INDEX)


class GenConstr(PartHandle):
    """An indicator constraint."""

    __slots__ = ()
    _what, _table = "general constraint", held.table(_NAME, _INDEX, Attribute("iis", part_in_iis))
    getIIS = part_in_iis


class GenConstrX(GenConstr):
    """A constraint of a function: max, min, abs, and, or, piecewise-linear."""

    __slots__ = ()

    def getAttr(self, attrname: str) -> Any:
        """The name, or the type's number."""
        return self._read(attrname)

    __repr__ = _bare


class SOS(PartHandle):
    """A special ordered set."""

    __slots__ = ()
    _what, _table = "SOS constraint", held.table(_READ_NAME, _INDEX, Attribute("iis", part_in_iis))
    __repr__ = _bare


class Cone(PartHandle):
    """A second-order cone."""

    __slots__ = ()
    _what, _table = "cone", held.table(_READ_NAME, _INDEX)
    __repr__ = _bare


class HandleArray(list[Any]):
    """Several handles of one kind in order."""

    _noun: ClassVar[str] = "Var"

    def __init__(self, items: Any = ()) -> None:
        super().__init__()
        self.pushBack(items)

    def pushBack(self, items: Any) -> None:
        """Add one, or several, at the end."""
        if isinstance(items, Mapping):
            self.extend(items.values())
        elif isinstance(items, Handle) or not hasattr(items, "__iter__"):
            self.append(items)
        else:
            self.extend(items)

    def getAll(self) -> list[Any]:
        return list(self)

    def getSize(self) -> int:
        return len(self)

    tolist, size = getAll, property(getSize)

    def __repr__(self) -> str:
        return f"<coptpy.{type(self).__name__}: {len(self)} {self._noun}(s)>"


def _array_of(name: str, noun: str) -> Any:
    """The class of arrays of one kind, with the method that gets one by its number."""
    known = {"_noun": noun, f"get{name}": HandleArray.__getitem__, "__module__": "coptcore"}
    return type(f"{name}Array", (HandleArray,), known)


VarArray, ConstrArray = _array_of("Var", "Var"), _array_of("Constr", "Constraint")
QConstrArray = _array_of("QConstr", "QConstraint")
NlConstrArray = _array_of("NlConstr", "NlConstraint")
GenConstrArray, SOSArray = _array_of("GenConstr", "GenConstr"), _array_of("SOS", "SOS")


_LACKING = {name.lower() for name in vars(COPT.Info).values()} - {*Var._table, *Constraint._table}
for _class in (Var, Constraint, QConstraint, NlConstraint, GenConstr, GenConstrX, SOS, Cone):
    _class.__module__ = "coptcore"


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
        several = flattened(things)
    if isinstance(values, str) or core.number(values) is not None:
        return [(member, values) for member in several]
    if isinstance(values, Mapping):
        values = values.values()
    chosen = flattened(values)
    if len(chosen) < len(several):
        raise IndexError("list index out of range")
    return list(zip(several, chosen, strict=False))


def flattened(given: Any) -> list[Any]:
    """The members of an array, or of lists in lists."""
    items = given.tolist() if hasattr(given, "tolist") else list(given)
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
    return flattened(single)
