"""What a program holds of a model: handles of columns, rows and parts, and tables of attributes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, ClassVar

from ordojo.compat.core.store import ElementNames, StoredConstraint

_new = object.__new__


class UnavailableError(Exception):
    """An attribute has no value now; the interface says so in its own words."""


def known(value: Any) -> Any:
    """What there is; UnavailableError where it is None."""
    if value is None:
        raise UnavailableError
    return value


class ByName:
    """Attributes by name: the interface reads and writes all but what begins with an underscore."""

    __slots__ = ()
    _read: Any
    _write: Any

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            kind = f"{type(self).__module__}.{type(self).__name__}"
            raise AttributeError(f"'{kind}' object has no attribute '{name}'")
        return self._read(name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            object.__setattr__(self, name, value)
        else:
            self._write(name, value)


@dataclass(frozen=True, slots=True)
class Attribute:
    """How an attribute is read from a handle or store, set on it, and which type it takes.

    A `hint` leaves the solution of the last solve in place, as names do. One that is set
    `at_once` makes the change later by itself, of what a parameter names when it is set.
    `default` is what it is where it only lies with the handle and was not set.
    """

    name: str
    get: Callable[[Any], Any]
    set: Callable[[Any, Any], None] | None = None
    takes: str = "double"
    hint: bool = False
    at_once: bool = False
    default: Any = None

    def put(self, store: Any, owner: Any, value: Any) -> None:
        """Set it with the next update of the store."""
        assert self.set is not None
        if self.at_once:
            self.set(owner, value)
        else:
            (store.hint if self.hint else store.later)(self.set, owner, value)


KINDS = "CIBSN"
"""The letters of the variable types in both interfaces, in the order of `VarType`."""
Table = Mapping[str, Attribute]
"""Attributes by their names in small letters."""


def table(*attributes: Attribute) -> Table:
    """A table of attributes, which are found whatever the case of their names."""
    return {attribute.name.lower(): attribute for attribute in attributes}


def of_entry(
    name: str,
    which: str,
    shown: Callable[[Any], Any],
    given: Callable[[Any], Any] = float,
    takes: str = "double",
    place: str = "_col",
) -> Attribute:
    """An attribute that is a column's or (`place`: "_row") row's entry of a store's array."""
    entries, number = attrgetter(f"_store.{which}"), attrgetter(place)

    def get(handle: Any) -> Any:
        return shown(entries(handle)[number(handle)])

    def put(handle: Any, value: Any) -> None:
        if number(handle) >= 0:
            entries(handle)[number(handle)] = given(value)

    return Attribute(name, get, put, takes)


def of_name(name: str, which: str, read: Callable[[ElementNames, int], str]) -> Attribute:
    """The name of a column or row, as `read` gives it."""

    def get(handle: Any) -> str:
        return read(getattr(handle._store, which), handle._number())

    def put(handle: Any, value: str) -> None:
        if handle._number() >= 0:
            getattr(handle._store, which).rename(handle._number(), value)

    return Attribute(name, get, put, "string", hint=True)


def of_part(name: str, field: str, takes: str, default: str = "") -> Attribute:
    """An attribute that is a field of a part, or a letter and its number where it is empty."""

    def get(handle: Any) -> Any:
        value = getattr(handle._part, field)
        return f"{default}{handle._part.number}" if default and not value else value

    def put(handle: Any, value: Any) -> None:
        setattr(handle._part, field, value)

    return Attribute(name, get, put, takes)


def value(var: Any) -> float:
    """A variable's value."""
    return float(known(var._store.values())[var._col])


def reduced_cost(var: Any) -> float:
    """A variable's reduced cost."""
    return float(known(known(var._store.column_result()).col_dual)[var._col])


def dual(constr: Any) -> float:
    """A row's dual value."""
    return float(known(known(constr._store.row_result()).row_dual)[constr._row])


def activity(constr: Any) -> float:
    """The value of a row's left side."""
    store = constr._store
    known(store.row_result())
    values = known(store.x)
    index, coeffs = store.row(constr._row)
    return float(sum(c * values[j] for j, c in zip(index, coeffs, strict=True)))


def quadratic_activity(handle: Any) -> float:
    """The value of a quadratic constraint's left side."""
    known(handle._store.values())
    part = handle._part
    products = zip(*part.products, strict=True)
    return float(part.linear.getValue() + sum(c * a.x * b.x for c, a, b in products))


class Handle(ByName):
    """A variable, constraint or other part, whose attributes are a table.

    `_number()` is its number in the model, negative once removed.
    """

    __slots__ = ()
    _what: ClassVar[str]
    _table: ClassVar[Table]
    _store: Any
    _number: Callable[[], int]


class RowHandle(Handle):
    """A handle of a row."""

    __slots__ = ("_row", "_store")
    _row: int

    def _number(self) -> int:
        return self._row

    def _rename(self, name: str) -> None:
        self._store.row_names.rename(self._row, name)


class PartHandle(Handle):
    """A handle of a part beside columns and rows."""

    __slots__ = ("_part", "_store")
    _part: StoredConstraint

    def __init__(self, store: Any, part: StoredConstraint) -> None:
        self._store, self._part = store, part
        part.handle = self

    def _rename(self, name: str) -> None:
        self._part.name = name


def maker(kind: type[Any], slots: Any, place: str) -> Callable[[Any, int], Any]:
    """What makes a handle of a store's column or row; `slots` is the class that has the slots."""
    set_store, set_place = slots._store.__set__, getattr(slots, place).__set__

    def make(store: Any, number: int) -> Any:
        handle = _new(kind)
        set_store(handle, store)
        set_place(handle, number)
        return handle

    return make
