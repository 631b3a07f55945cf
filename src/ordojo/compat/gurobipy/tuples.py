"""gurobipy's tupledict, tuplelist and multidict."""

from typing import Any

from ordojo.compat.core import tuples as core
from ordojo.compat.gurobipy.expressions import add_up


class tuplelist(core.TupleList):
    """A list of tuples that are selected by patterns."""

    def __repr__(self) -> str:
        return self._text("gurobi.tuplelist")

    __str__ = __repr__


class tupledict(core.TupleDict):
    """A dictionary with tuple keys, with sums by patterns."""

    _sum_of = staticmethod(add_up)

    def iteritems(self) -> Any:
        """Pairs of key and value."""
        return iter(self.items())

    def iterkeys(self) -> Any:
        """The keys."""
        return iter(self)

    def itervalues(self) -> Any:
        """The values."""
        return iter(self.values())


def multidict(data: Any) -> list[Any]:
    """Split a dictionary of lists into its keys and a tupledict for each position."""
    return core.multidict(data, tuplelist, tupledict)


for _class in (tuplelist, tupledict):
    _class.__module__ = "gurobipy"
