"""Handles of what a model has beside variables and linear constraints."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from ordojo.compat.coptpy.constants import cut
from ordojo.compat.coptpy.errors import invalid, unsupported
from ordojo.compat.coptpy.expressions import QuadExpr
from ordojo.compat.coptpy.information import Handle
from ordojo.compat.core.assemble import sides
from ordojo.compat.core.parts import Part


class PartHandle(Handle):
    """A handle of a part beside columns and rows."""

    __slots__ = ("_part", "_store")
    _part: Part

    def __init__(self, store: Any, part: Part) -> None:
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
            raise unsupported("a quadratic constraint with two sides")

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


for _class in (QConstraint, NlConstraint, GenConstr, GenConstrX, SOS, Cone):
    _class.__module__ = "coptcore"
