"""coptpy's comparisons of arrays."""

from typing import Any

from ordojo.compat.coptpy.errors import invalid
from ordojo.compat.coptpy.expressions import ConstrBuilder
from ordojo.compat.coptpy.marrays import array_of
from ordojo.compat.core import expr as core
from ordojo.compat.core.terms import Terms


class MConstrBuilder:
    """A comparison of an array of expressions with zero."""

    __hash__ = object.__hash__
    _held: Terms
    _sense: str

    @classmethod
    def _of(cls, terms: Terms, sense: str) -> "MConstrBuilder":
        made = cls.__new__(cls)
        made._held, made._sense = terms, sense
        return made

    @property
    def shape(self) -> tuple[int, ...]:
        """The length of each dimension."""
        return self._held.shape

    def getSense(self) -> str:
        """COPT's letter of the sense."""
        return {"<": "L", ">": "G", "=": "E"}[self._sense]

    def getExpr(self) -> Any:
        """Left less right sides."""
        return array_of(self._held)

    def _relations(self) -> list[Any]:
        entries = self.getExpr()._entries().reshape(-1)
        return [core.relate(ConstrBuilder, item, self._sense, 0.0) for item in entries]

    def item(self) -> Any:
        """The only comparison."""
        if self._held.size != 1:
            raise invalid("Only an array of one item has an item")
        return self._relations()[0]

    def __bool__(self) -> bool:
        raise ValueError("Boolean value of 'MConstrBuilder' object is not defined")

    def __rshift__(self, other: Any) -> Any:
        single = self.item()
        linear = single._lhs
        if isinstance(linear, core.LinExpr) and len(linear._v) == 1 and linear._c[0] == 1.0:
            single = core.relate(ConstrBuilder, linear._v[0], self._sense, 0.0 - linear._k)
        return single >> (other.item() if isinstance(other, MConstrBuilder) else other)

    def _add_to(self, model: Any, name: str, how: str) -> Any:
        from ordojo.compat.coptpy import matrix

        return matrix.add_comparison(model, self._held, self._sense, name, how)


MConstrBuilder.__module__ = "coptcore"
MQConstrBuilder = MConstrBuilder
