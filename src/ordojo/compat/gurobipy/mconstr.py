"""gurobipy's comparisons of arrays, and arrays of constraints."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from ordojo.compat.core import expr as core
from ordojo.compat.core import terms as flat
from ordojo.compat.core.terms import Objects, Terms
from ordojo.compat.gurobipy.errors import GurobiError
from ordojo.compat.gurobipy.expressions import LinExpr, QuadExpr, TempConstr
from ordojo.compat.gurobipy.handles import Constr, GenConstr, QConstr
from ordojo.compat.gurobipy.mhandles import MHandles


class _Comparison:
    """What comparisons of arrays share."""

    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        raise GurobiError(0, 'Constraint has no bool value (are you trying "lb <= expr <= ub"?)')

    def _parts(self) -> Objects:
        raise NotImplementedError

    def _add_to(self, model: Any, name: Any) -> Any:
        raise NotImplementedError

    def __rshift__(self, other: Any) -> "MTempList":
        """An indicator for each entry."""
        ifs = self._parts()
        thens = other._parts() if isinstance(other, _Comparison) else flat.objects([other])
        one, two = np.broadcast_arrays(ifs, thens.reshape(()) if thens.size == 1 else thens)
        made = [a >> b for a, b in zip(one.reshape(-1), two.reshape(-1), strict=True)]
        return MTempList(flat.objects(made).reshape(ifs.shape))


class MTempConstr(_Comparison):
    """A comparison of an array of expressions with zero."""

    def __init__(self, terms: Terms, sense: str) -> None:
        self._held, self._sense = terms, sense

    @property
    def shape(self) -> tuple[int, ...]:
        """The length of each dimension."""
        return self._held.shape

    def _parts(self) -> Objects:
        items = flat.expressions(self._held, LinExpr, QuadExpr)
        made = []
        for item in items.reshape(-1):
            linear = item if isinstance(item, LinExpr) else item._linear
            rhs, linear._k = 0.0 - linear._k, 0.0
            single = isinstance(item, LinExpr) and len(item._c) == 1 and item._c[0] == 1.0
            left = item._v[0] if single else item
            made.append(core.relate(TempConstr, left, self._sense, rhs))
        return flat.objects(made).reshape(self.shape)

    def _add_to(self, model: Any, name: Any) -> Any:
        from ordojo.compat.gurobipy import matrix

        return matrix.add_comparison(model, self._held, self._sense, name)

    def __repr__(self) -> str:
        from ordojo.compat.gurobipy.marrays import array_of

        sense = {"<": "<=", ">": ">=", "=": "=="}[self._sense]
        return f"<gurobi.TempConstr: {array_of(self._held)!r} {sense} 0.0>"


class MTempList(_Comparison):
    """An array of comparisons of any kind."""

    def __init__(self, items: Objects) -> None:
        self._items = items

    def _parts(self) -> Objects:
        return self._items

    def _add_to(self, model: Any, name: Any) -> Any:
        from ordojo.compat.gurobipy import matrix

        return matrix.add_each(model, self._items, name)


class _MConstrs(MHandles):
    """An array of constraints of one kind."""

    @classmethod
    def fromlist(cls, li: Any) -> Any:
        """Constraints of a list, perhaps of lists."""
        return cls(li)

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(self.shape[0]))

    @property
    def _part(self) -> "_Naming":
        return _Naming(self)

    def __repr__(self) -> str:
        waits = any(handle._awaits() for handle in self._held.reshape(-1))
        return f"<{self._title} {self.shape}{' *awaiting model update*' if waits else ''}>"


class _Naming:
    """Lets `addConstrs` name a whole array of constraints."""

    def __init__(self, handles: _MConstrs) -> None:
        object.__setattr__(self, "_handles", handles)

    def __setattr__(self, attribute: str, name: str) -> None:
        handles = self.__dict__["_handles"]
        for key, handle in zip(np.ndindex(handles.shape), handles._held.reshape(-1), strict=True):
            text = f"{name}[{','.join(map(str, key))}]" if key else name
            if isinstance(handle, Constr):
                handle._store.row_names.rename(handle._row, text)
            else:
                handle._part.name = text


class MConstr(_MConstrs):
    """An array of linear constraints."""

    _title, _what = "MConstr", "Constr"


class MQConstr(_MConstrs):
    """An array of quadratic constraints."""

    _title, _what = "MQConstr", "QConstr"


class MGenConstr(_MConstrs):
    """An array of general constraints."""

    _title, _what = "MGenConstr", "GenConstr"


def handles_array(made: list[Any], shape: tuple[int, ...]) -> _MConstrs:
    """Constraints as the array of their kind."""
    kinds = {Constr: MConstr, QConstr: MQConstr, GenConstr: MGenConstr}
    kind = kinds[type(made[0])] if made else MConstr
    return kind(flat.objects(made).reshape(shape))


for _class in (MConstr, MQConstr, MGenConstr):
    _class.__module__ = "gurobipy._matrixapi"
