"""The 17 constraint classes of MIPLIB 2017, one a row, by SCIP's reading of them."""

import numpy as np
from numpy.typing import NDArray

from ordojo.structure.labels.view import Rows, near

CLASSES = (
    "empty",
    "free",
    "singleton",
    "aggregation",
    "precedence",
    "variable bound",
    "set partitioning",
    "set packing",
    "set covering",
    "cardinality",
    "invariant knapsack",
    "equation knapsack",
    "bin packing",
    "knapsack",
    "integer knapsack",
    "mixed binary",
    "general linear",
)
"""In the order in which they are tried."""


def classify(rows: Rows) -> NDArray[np.uint8]:
    """The place in CLASSES of each row; of a row with two sides, by its upper one.

    As in SCIP: binaries with negative coefficients are complemented, a set packing may have any
    common coefficient, a knapsack whole ones, and a row `>=` is no knapsack.
    """
    low, up = rows.sides
    count, value, row = rows.count, rows.value, rows.row
    upper = np.isfinite(up) & ~rows.equal
    lower_only = np.isfinite(low) & ~np.isfinite(up)
    sign = np.where(rows.flipped, -1.0, 1.0)
    own = value * sign[row]
    negative = rows.total(own < 0)
    side = np.where(lower_only, low, up)

    binary = rows.every(rows.binary)
    scale = np.maximum(rows.size[1], 1e-300)
    unit = binary & rows.alike
    free = ~np.isfinite(side)
    sets = np.where(free, 0.0, side) / scale + negative
    one, natural = near(sets, 1.0), (sets >= 0) & near(sets, np.round(sets))

    whole = rows.every(near(value, np.round(value)))
    complemented = np.where(free, 0.0, side) - np.bincount(
        row, np.minimum(own, 0.0), minlength=len(count)
    )
    knapsack = binary & whole & (complemented >= 0)
    knapsack &= near(complemented, np.round(complemented))
    fits = rows.total(near(np.abs(value), complemented[row])) > 0

    kind = _kinds(rows)
    first, last = _ends(rows)
    pair = count == 2
    opposite = pair & near(first, -last) & (rows.least(kind, 0.0) == rows.most(kind, 0.0))
    integer = rows.every(rows.whole) & whole & (negative == 0) & (side >= 0)
    integer &= near(side, np.round(np.where(free, 0.0, side)))
    tests = (
        count == 0,
        free,
        count == 1,
        pair & rows.equal,
        opposite,
        pair & (rows.total(rows.binary) > 0),
        unit & rows.equal & one,
        unit & upper & one,
        unit & lower_only & one,
        unit & rows.equal & natural,
        unit & upper & natural,
        knapsack & rows.equal,
        knapsack & upper & fits,
        knapsack & upper,
        integer & upper,
        rows.every(rows.binary | ~rows.whole),
    )
    return np.select(tests, range(len(tests)), len(tests)).astype(np.uint8)


def _kinds(rows: Rows) -> NDArray[np.float64]:
    return np.where(rows.binary, 2.0, np.where(rows.whole, 1.0, 0.0))


def _ends(rows: Rows) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The first and last coefficient of each row; 0 for an empty one."""
    found = []
    for place in (rows.start[:-1], rows.start[1:] - 1):
        ends = np.zeros(len(rows.count))
        used = rows.count > 0
        ends[used] = rows.value[place[used]]
        found.append(ends)
    return found[0], found[1]
