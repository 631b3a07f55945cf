"""coptpy's arrays of variables and constraints."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ordojo.compat.coptpy.handles import Constraint, Var
from ordojo.compat.coptpy.information import Handle
from ordojo.compat.coptpy.marrays import CoptArray, NdArray
from ordojo.compat.core import expr as core
from ordojo.compat.core import terms as flat
from ordojo.compat.core.mhandles import Held
from ordojo.compat.core.terms import Objects, Terms


class _MHandles:
    """Information of an array of variables or constraints."""

    _held: Objects

    def getInfo(self, infoname: str) -> Any:
        """A piece of information of each."""
        return self._apply(lambda handle: handle.getInfo(infoname))

    getAttr = getInfo

    def setInfo(self, infoname: str, newval: Any) -> None:
        """Change a piece of information of each, from one value or an array of them."""
        single = isinstance(newval, str) or core.number(newval) is not None
        array = np.full(self._held.shape, newval, object) if single else np.asarray(newval)
        values = np.broadcast_to(array, self._held.shape).reshape(-1)
        for handle, value in zip(self._held.reshape(-1), values.tolist(), strict=True):
            handle.setInfo(infoname, value)

    setAttr = setInfo

    def _apply(self, read: Callable[[Any], Any]) -> Any:
        found = [read(handle) for handle in self._held.reshape(-1)]
        if not self._held.shape:
            return found[0]
        return np.array(found).reshape(self._held.shape).view(NdArray)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        return self.getInfo(name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            object.__setattr__(self, name, value)
        else:
            self.setInfo(name, value)

    def __repr__(self) -> str:
        return f"<coptpy.{type(self).__name__}: shape={self._held.shape}>"


def _array(args: Any, shape: Any) -> Objects:
    found = flat.nested(args)
    if isinstance(found, Handle):
        found = flat.objects([found]).reshape(())
    if isinstance(found, MVar | MConstr):
        found = found._held
    array: Objects = found if isinstance(found, np.ndarray) else flat.objects(found)
    return array if shape is None else array.reshape(shape)


class MVar(_MHandles, CoptArray):
    """An array of variables."""

    def __init__(self, args: Any, shape: Any = None) -> None:
        self._held = _array(args, shape)

    @classmethod
    def fromlist(cls, vars: Any) -> "MVar":
        """Variables of a list, perhaps of lists."""
        return cls(vars)

    @classmethod
    def fromvar(cls, var: Var) -> "MVar":
        """A single variable as an array without dimensions."""
        return cls(var)

    def _terms(self) -> Terms:
        return flat.of_variables(self._held)

    def _entries(self) -> Objects:
        return self._held

    def _taken(self, numbers: Any) -> Any:
        chosen = self._held.reshape(-1)[numbers]
        return MVar(
            chosen if isinstance(chosen, np.ndarray) else flat.objects([chosen]), numbers.shape
        )


class MConstr(_MHandles, Held):
    """An array of linear constraints."""

    def __init__(self, args: Any, shape: Any = None) -> None:
        self._held = _array(args, shape)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._held.reshape(-1))

    def tolist(self) -> list[Any]:
        """All constraints in one list."""
        return list(self._held.reshape(-1))

    def flatten(self) -> Any:
        """The same constraints in one dimension."""
        return type(self)(self._held.reshape(-1))

    def reshape(self, shape: Any, order: Any = "C") -> Any:
        """The same constraints in another shape."""
        return type(self)(self._held.reshape(shape, order=order))


class MQConstr(MConstr):
    """An array of quadratic constraints."""


def constraints(made: list[Any], shape: tuple[int, ...]) -> MConstr:
    """Constraints as the array of their kind."""
    kind = MConstr if all(type(item) is Constraint for item in made) else MQConstr
    return kind(flat.objects(made), shape)


for _class in (MVar, MConstr, MQConstr):
    _class.__module__ = "coptcore"
