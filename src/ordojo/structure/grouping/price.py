"""The length of a description of a model by a partition, in bits, to choose between partitions."""

import numpy as np

from ordojo.structure.flat import Flat, Floats, Ints
from ordojo.structure.grouping.merge import CLASS_BITS, TERM_BITS

WEIGHT = 3.0
"""Of the bits that say how often each item meets a term, against those of classes and terms."""
_LEVELS = 16
_DENSE = 60_000_000


def price(flat: Flat, groups: Ints, families: Ints) -> float:
    """Bits for the classes, their terms, and how often each item takes part in each term."""
    wide = int(groups.max(initial=0)) + 1
    key = (families[flat.index] * wide + groups[flat.entry_cols]) * 2 + (flat.value < 0)
    used, term = _numbered(key)
    bits = CLASS_BITS * (wide + int(families.max(initial=0)) + 1) + TERM_BITS * len(used)
    for which, label, of in (
        (flat.index.astype(np.int64), families, used // 2 // wide),
        (flat.entry_cols.astype(np.int64), groups, used // 2 % wide),
    ):
        sizes = np.bincount(label)[of]
        bits += WEIGHT * _spread(which, term, len(used), len(label), sizes)
    return bits


def _numbered(key: Ints) -> tuple[Ints, Ints]:
    """The keys that occur, ascending, and for each entry the number of its key."""
    top = int(key.max(initial=0)) + 1
    if top > _DENSE:
        used, term = np.unique(key, return_inverse=True)
        return used, term
    seen = np.zeros(top, bool)
    seen[key] = True
    return np.flatnonzero(seen), (np.cumsum(seen) - 1)[key]


def _spread(which: Ints, term: Ints, terms: int, items: int, sizes: Ints) -> float:
    """The entropy, over the members of each term's class, of how often they take part in it."""
    cell = which * terms + term
    if items * terms <= _DENSE:
        counts = np.bincount(cell)
        cells = np.flatnonzero(counts)
        counts = counts[cells]
    else:
        cells, counts = np.unique(cell, return_counts=True)
    level = np.minimum(counts, _LEVELS - 1)
    place = (cells % terms) * _LEVELS + level
    table: Floats = (
        np.bincount(place, minlength=terms * _LEVELS).reshape(terms, _LEVELS).astype(np.float64)
    )
    table[:, 0] = sizes - table.sum(1)
    total = np.maximum(table.sum(1, keepdims=True), 1)
    share = np.where(table > 0, table / total, 1.0)
    return float(-(table * np.log2(share)).sum())
