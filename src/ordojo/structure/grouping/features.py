"""What is seen of a column or a row without its name: its kind and what it meets."""

import numpy as np
from numpy.typing import NDArray

from ordojo.structure.flat import Flat, Ints

MAX_DENSE = 60_000_000
GAP = 8


def column_kinds(flat: Flat) -> Ints:
    """Binary, integer, continuous, and the semi-continuous kinds, which groups do not mix."""
    binary = (flat.types == 1) & (flat.lower == 0) & (flat.upper == 1)
    return np.where(binary, 4, flat.types).astype(np.int64)


def row_kinds(flat: Flat) -> Ints:
    """The sense, and whether a range widens it."""
    return flat.senses.astype(np.int64) * 2 + ~np.isnan(flat.ranges)


def lengths_apart(kinds: Ints, lengths: Ints) -> Ints:
    """The kinds, cut wherever the lengths of a kind's items leave a gap of a factor GAP."""
    order = np.lexsort((lengths, kinds))
    kind, length = kinds[order], np.maximum(lengths[order], 1)
    cut = np.zeros(len(kinds), np.int64)
    cut[1:] = (kind[1:] != kind[:-1]) | (length[1:] >= GAP * length[:-1])
    found = np.empty(len(kinds), np.int64)
    found[order] = np.cumsum(cut)
    return found


def meetings(flat: Flat, side: str, other: Ints, signs: bool = True) -> NDArray[np.int8]:
    """Whether each column ("cols") or row meets each class of the other side, by sign: 1 or 0.

    Where that is too large a table, the rarest classes of the other side count as one.
    """
    mine, theirs = (
        (flat.entry_cols, flat.index) if side == "cols" else (flat.index, flat.entry_cols)
    )
    count = flat.n if side == "cols" else flat.m
    key = other[theirs]
    if signs:
        key = key * 2 + (flat.value < 0)
    width = int(key.max(initial=-1)) + 1
    if count * width > MAX_DENSE:
        width = max(1, MAX_DENSE // max(count, 1))
        frequent = np.argsort(-np.bincount(key), kind="stable")
        rank = np.full(len(frequent), width - 1, np.int64)
        rank[frequent[:width]] = np.arange(min(width, len(frequent)))
        key = rank[key]
    flatly = mine.astype(np.int64) * width + key
    counts = np.bincount(flatly, minlength=count * width).reshape(count, width)
    counts = counts[:, counts.any(0)]
    return (counts > 0).astype(np.int8)


def classes(fixed: Ints, loose: NDArray[np.int8]) -> Ints:
    """Equal numbers for items that look the same, from 0 in order of appearance."""
    keys = fixed.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    generator = np.random.Generator(np.random.PCG64(loose.shape[1] + 1))
    for k in range(loose.shape[1]):
        table = generator.integers(0, 1 << 63, 16, np.uint64)
        keys += table[loose[:, k].astype(np.int64) & 15]
    return numbered(keys.view(np.int64))


def numbered(keys: Ints) -> Ints:
    """Equal numbers for equal keys, from 0 in order of appearance."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    new = np.ones(len(keys), bool)
    new[1:] = ordered[1:] != ordered[:-1]
    first = order[new]
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first, kind="stable")] = np.arange(len(first))
    found = np.empty(len(keys), np.int64)
    found[order] = rank[np.cumsum(new) - 1]
    return found
