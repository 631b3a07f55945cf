"""Indices that are functions of indices, so that what one says others need not say again."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ordojo.structure.flat import Ints
from ordojo.structure.formulation.concepts import Concept

_FEW, _TELLING = 16, 3
"""Places that are looked at first, and values that a function must have to be said as two."""


@dataclass(frozen=True, eq=False)
class Function:
    """The parameter `name` gives an index for an index: `values` for `keys`, which ascend."""

    name: str
    of: Concept
    to: Concept
    keys: Ints
    values: Ints

    def at(self, places: Ints) -> Ints | None:
        """The values at some places; None where one has none."""
        found = np.minimum(np.searchsorted(self.keys, places), len(self.keys) - 1)
        return self.values[found] if np.array_equal(self.keys[found], places) else None


def stated(
    vector: Ints, places: Ints, of: Concept, to: Concept, functions: Sequence[Function]
) -> tuple[str, ...]:
    """The function that has these values at these places, or two, the inner one first; or none."""
    some = np.linspace(0, len(vector) - 1, _FEW).astype(np.int64)
    mine = [one for one in functions if one.of is of]
    for one in mine:
        if one.to is to and _is(one.at(places), vector):
            return (one.name,)
    if len(np.unique(vector)) < _TELLING:
        return ()
    for inner in mine:
        middle = inner.at(places)
        for outer in functions:
            if middle is None or outer.of is not inner.to or outer.to is not to:
                continue
            if _is(outer.at(middle[some]), vector[some]) and _is(outer.at(middle), vector):
                return inner.name, outer.name
    return ()


def _is(found: Ints | None, vector: Ints) -> bool:
    return found is not None and np.array_equal(found, vector)
