"""Tables of pairs that two others say, one after the other through a third index."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ordojo.structure.abstraction.hops import joined, turned
from ordojo.structure.flat import Ints
from ordojo.structure.formulation.concepts import Concept

_LEAST, _MOST = 4, 12
"""The shortest table that is worth it, and the most others that are tried."""


@dataclass(frozen=True, eq=False)
class Step:
    """Pairs of indices, in order; `text` says of two letters that they are one."""

    of: Concept
    to: Concept
    pairs: Ints
    text: str

    def turned(self) -> "Step":
        """From the second index to the first."""
        return Step(self.to, self.of, turned(self.pairs), self.text.format("{1}", "{0}"))


def path(pairs: Ints, of: Concept, to: Concept, steps: Sequence[Step]) -> tuple[Step, Step] | None:
    """Two steps that lead from each first index to its second ones and to no others."""
    if len(pairs) < _LEAST or of is to:
        return None
    some = pairs[pairs[:, 0] == pairs[0, 0]]
    ways = [way for one in steps[:_MOST] for way in (one, one.turned())]
    for first in (way for way in ways if way.of is of):
        begin = first.pairs[first.pairs[:, 0] == pairs[0, 0]]
        for then in (way for way in ways if way.of is first.to and way.to is to):
            likely = np.array_equal(joined(begin, then.pairs, len(some)), some)
            if likely and np.array_equal(joined(first.pairs, then.pairs, len(pairs)), pairs):
                return first, then
    return None
