"""Arrays of handles in order."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from ordojo.compat.coptpy.expressions import ConstrBuilder
from ordojo.compat.coptpy.information import Handle


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
