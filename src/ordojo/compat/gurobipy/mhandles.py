"""Arrays of gurobipy's variables or constraints: their attributes."""

from typing import Any, ClassVar

import numpy as np

from ordojo.compat.core import terms as flat
from ordojo.compat.core.mhandles import Held
from ordojo.compat.gurobipy.attrtable import TABLES
from ordojo.compat.gurobipy.mvalues import attribute_values, set_attribute


class MHandles(Held):
    """An array of handles of one kind, `_what`; its own name is `_title`."""

    _title: ClassVar[str]
    _what: ClassVar[str]

    def __init__(self, items: Any) -> None:
        array = flat.nested(items)
        if not isinstance(array, np.ndarray):
            array = flat.objects([array]).reshape(())
        object.__setattr__(self, "_held", array)

    def tolist(self) -> Any:
        """The handles in lists nested like the dimensions."""
        return self._held.tolist()

    def reshape(self, *shape: Any, order: Any = "C") -> Any:
        """The same handles in another shape."""
        return type(self)(self._held.reshape(one_shape(shape), order=order))

    def getAttr(self, attrname: str) -> Any:
        """An attribute's values as an array."""
        return attribute_values(self._held, attrname)

    def setAttr(self, attrname: str, newval: Any) -> None:
        """Set an attribute from one value or an array of them."""
        set_attribute(self._held, attrname, newval)

    def __getattr__(self, name: str) -> Any:
        self._known(name)
        return self.getAttr(name)

    def __setattr__(self, name: str, value: Any) -> None:
        self._known(name)
        self.setAttr(name, value)

    def _known(self, name: str) -> None:
        if name.startswith("_") or name.lower() not in TABLES[self._what]:
            raise AttributeError(f"'gurobipy.{self._title}' object has no attribute '{name}'")


def one_shape(shape: tuple[Any, ...]) -> Any:
    """A shape that may be given as several arguments or as one."""
    return shape[0] if len(shape) == 1 else shape
