"""What a class costs: naming it, its terms, and the mixture of its members, in about bits."""

import numpy as np

from ordojo.structure.flat import Floats

CLASS_BITS = 60.0
APART_BITS = 60.0
"""What merging classes costs that meet nothing alike."""
TERM_BITS, ODD_BITS, MANY_BITS, NUMBER_BITS = 12.0, 4.0, 4.0, 2.0
"""What one more look costs: meeting a class, so with other coefficients, so twice; a number."""
FEW, FEW_WEIGHT = 0.02, 0.8
MIX_BITS, MIX_UNIT, MIX_MOST = 7.0, 8.0, 6.0


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
