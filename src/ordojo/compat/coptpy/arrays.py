"""Arrays of handles in order."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, ClassVar

from ordojo.compat.coptpy.expressions import ConstrBuilder
from ordojo.compat.coptpy.handles import Handle
from ordojo.compat.coptpy.tuples import tupledict
from ordojo.compat.core import expr as core


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

    def tolist(self) -> list[Any]:
        """All of them as a list."""
        return list(self._items)

    def getSize(self) -> int:
        """How many there are."""
        return len(self._items)

    def reserve(self, n: int) -> None:
        """Nothing: lists grow by themselves."""

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self._items)

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
