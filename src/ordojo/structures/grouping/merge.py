"""Merging classes of columns (or rows) as long as the description of the model gets shorter.

The idea is minimum description length (Rissanen, 1978): a model is told class by class, what all
members of a class have in common once. A class costs its name; each look that any member has (a
class of the other side that it meets, and how; a number) costs words; a look that only some members
have costs the rule that says which. Greedy: begin with the items that look the same, and merge the
two classes that save most bits until none saves any. It is agglomerative clustering with bits for
a distance, quadratic in the classes, so only the `MOST` largest take part.

The weights were chosen on half 0 of the models with known truth in `perf/grouping.py` (halves by a
hash of the name) and checked on half 1. Beside each stands what moving it does to 46 small models
without names, 21 of them in half 0 (`python -m perf.sensitivity`): as they are, 39 get the
modeller's own groups and 36 his families.
"""

import numpy as np
from numpy.typing import NDArray

from ordojo.structures.flat import Floats, Ints
from ordojo.structures.grouping.features import classes

CLASS_BITS = 60.0
"""What a class costs. Less leaves statements in pieces (30: 31 and 32 the modeller's own), more
joins different ones (120: 31 and 27)."""
APART_BITS = 60.0
"""What merging classes costs that meet nothing alike: their statements share no variable, so they
are hardly one. Halved and doubled: the same."""
TERM_BITS, ODD_BITS, MANY_BITS, NUMBER_BITS = 12.0, 4.0, 4.0, 2.0
"""What one more look costs: meeting a class, so with other coefficients, so twice; a number.

A sum is more words than a factor in it, a factor more than a bound. The first matters: halved 37
and 35, doubled 37 and 32; of the others, halved or doubled, none moves more than one model.
"""
FEW, FEW_WEIGHT = 0.02, 0.8
"""Up to this share of a class may lack (or have) a look as an exception at the border, which is
said in fewer words. Halved or doubled: no more than one model moves."""
MIX_BITS, MIX_UNIT, MIX_MOST = 7.0, 8.0, 6.0
"""The rule for who has a look: bits a doubling of the entropy, from how many bits on, and doublings
at most. Dear rules keep classes apart that differ: with 3.5 bits 31 and 27, with 14 bits 26 and 31;
a limit of 3 doublings gives 36 and 27, one of 12 the same as 6."""


def mixture(members: Floats, having: Floats) -> Floats:
    """Bits for which of a class's members have a look.

    The entropy would grow with the members, but a rule over indices ("but for the border") says it
    in about the same words for few and for many: so its logarithm, up to a limit.
    """
    lacking = members - having
    share = np.where(having > 0, having / np.maximum(members, 1), 1.0)
    rest = np.where(lacking > 0, lacking / np.maximum(members, 1), 1.0)
    entropy = -(having * np.log2(share) + lacking * np.log2(rest))
    few = np.minimum(having, lacking) <= FEW * members
    bits = MIX_BITS * np.minimum(np.log2(1 + entropy / MIX_UNIT), MIX_MOST)
    return np.asarray(np.where(few, FEW_WEIGHT, 1.0) * bits)


def price(members: Floats, having: Floats, cost: Floats, weight: Floats) -> Floats:
    """Bits of classes, without the price of naming each: `having` counts members by class and look.

    `cost` is what having a look costs, `weight` what its mixture counts.
    """
    looks = (having > 0) * cost + weight * mixture(members[:, None], having)
    return np.asarray(looks.sum(-1))


MOST = 100
"""So many of the finest classes, the largest, are merged; the others join where they fit best.

Time is its square; with 50 or 200 the same partitions.
"""


def merged(
    fixed: Ints,
    looks: NDArray[np.bool_],
    silent: NDArray[np.bool_],
    cost: Floats,
    weight: Floats,
    naming: float,
    met: int,
) -> Ints:
    """Classes of items, none mixing different `fixed`; items `silent` weigh nothing.

    `cost` and `weight` are those of the looks, `naming` is the price of a class itself. The first
    `met` looks are what items meet: classes that share none of them hardly belong together.

    Begins with the items that look the same and merges the two classes that gain most, in turns.
    """
    finest = classes(fixed * 2 + silent, looks)
    count = int(finest.max(initial=-1)) + 1
    if count <= 1:
        return finest
    first = np.zeros(count, np.int64)
    first[finest[::-1]] = np.arange(len(finest))[::-1]
    kinds = fixed[first]
    members: Floats = np.where(silent[first], 0.0, np.bincount(finest, minlength=count))
    having: Floats = np.where(looks[first], members[:, None], 0.0)
    order = np.lexsort((np.arange(count), -members))
    sums = _Sums(cost, weight, naming, met)
    label = np.empty(count, np.int64)
    top = order[:MOST]
    label[top] = sums.merge(members[top], having[top], kinds[top])
    rest = order[MOST:]
    label[rest] = sums.place(looks[first[rest]], kinds[rest])
    return label[finest]


class _Sums:
    """The merged classes: their members, how many have each look, and their kind."""

    def __init__(self, cost: Floats, weight: Floats, naming: float, met: int) -> None:
        self.cost, self.weight, self.naming, self.met = cost, weight, naming, met
        self.members, self.having = np.zeros(0), np.zeros((0, len(cost)))
        self.kinds = np.zeros(0, np.int64)

    def merge(self, members: Floats, having: Floats, kinds: Ints) -> Ints:
        """Merge these classes; the number of the merged one for each."""
        count = len(members)
        label, alive = np.arange(count), np.ones(count, bool)
        own = price(members, having, self.cost, self.weight)
        gain = np.full((count, count), -np.inf)
        changed = [(a, np.arange(count) > a) for a in range(count)]
        while True:
            for a, among in changed:
                others = np.flatnonzero(alive & among & (kinds == kinds[a]))
                both = members[others] + members[a], having[others] + having[a]
                shared = np.minimum(having[others, : self.met], having[a, : self.met]).any(1)
                shared |= (members[others] == 0) | (members[a] == 0)
                saved = (
                    own[others] + own[a] + np.where(shared, self.naming, self.naming - APART_BITS)
                )
                gain[a, others] = saved - price(*both, self.cost, self.weight)
                gain[others, a] = gain[a, others]
            a, b = divmod(int(np.argmax(gain)), count)
            if gain[a, b] <= 0:
                break
            members[a] += members[b]
            having[a] += having[b]
            own[a] = price(members[[a]], having[[a]], self.cost, self.weight)[0]
            alive[b] = False
            gain[[a, b], :] = gain[:, [a, b]] = -np.inf
            label[label == b] = a
            changed = [(a, np.arange(count) != a)]
        used = np.flatnonzero(alive)
        self.members, self.having, self.kinds = members[used], having[used], kinds[used]
        return np.searchsorted(used, label).astype(np.int64)

    def place(self, looks: NDArray[np.bool_], kinds: Ints) -> Ints:
        """The merged class that each of these adds least to, or a new one for a new kind."""
        new = np.setdiff1d(kinds, self.kinds)
        members, having, before = self.members[:, None], self.having, self.kinds
        alone = mixture(members, having)
        lacks = self.weight * (mixture(members + 1, having) - alone)
        has = self.weight * (mixture(members + 1, having + 1) - alone) + self.cost * (having == 0)
        found = np.empty(len(kinds), np.int64)
        for kind in np.unique(kinds).tolist():
            mine, own = np.flatnonzero(kinds == kind), np.flatnonzero(before == kind)
            if not len(own):
                found[mine] = len(before) + np.searchsorted(new, kind)
                continue
            rise = looks[mine].astype(np.float64) @ (has[own] - lacks[own]).T + lacks[own].sum(1)
            found[mine] = own[np.argmin(rise, axis=1)]
        return found
