"""How the columns of a row lie to it along an index: neighbours, windows, around the end."""

from dataclasses import dataclass

import numpy as np

from ordojo.structure.flat import Ints
from ordojo.structure.labels.view import Block

MOST = 0.9
ANCHORED = 0.8
"""The share of rows in which one end of the run keeps its distance to the row's index."""
WIDE = 3


@dataclass(frozen=True)
class Pattern:
    """One index of the rows against one of the columns.

    `window`: a run of `width` or more values moves with the row. `wraps`: it goes around the end,
    modulo `modulus`. `steps`: the value itself and a neighbour.
    """

    window: bool
    width: int
    wraps: bool
    modulus: int
    steps: bool


def overlap(first: Ints, second: Ints) -> float:
    """The share of the smaller set that both have; sets of different numbers, ascending."""
    common = len(np.intersect1d(first, second, assume_unique=True))
    return common / max(1, min(len(first), len(second)))


def patterns(block: Block) -> list[Pattern]:
    """A pattern for each pair of indices of one domain that shows any."""
    found = []
    for a, left in zip(block.left, block.left_values, strict=True):
        for b, right in zip(block.right, block.right_values, strict=True):
            if len(left) >= WIDE and overlap(left, right) >= 0.5:
                pattern = _pattern(block, a, b, right)
                found += [pattern] if pattern is not None else []
    return found


def _pattern(block: Block, a: Ints, b: Ints, values: Ints) -> Pattern | None:
    low, high = int(values[0]), int(values[-1])
    span = high - low + 1
    if span < WIDE or span > 4 * len(values):
        return None
    value = b[block.col]
    shift = value - a[block.row]
    distinct, counts = np.unique(shift, return_counts=True)
    if len(distinct) == 1:
        return None
    # Each value counts once a row.
    cells = np.unique(block.row * span + (value - low))
    row, value = cells // span, cells % span + low
    first = np.flatnonzero(np.diff(row, prepend=-1))
    sizes = np.diff(np.append(first, len(row)))
    used = a[row[first]]
    lowest, highest = value[first], value[np.append(first[1:], len(row)) - 1]
    run = highest - lowest + 1 == sizes
    anchored = max(_same(lowest - used), _same(highest - used))
    moves = len(np.unique(lowest)) > 1 or len(np.unique(highest)) > 1
    wide = float(np.median(sizes)) >= WIDE
    window = bool(run.mean() >= MOST and anchored >= ANCHORED and moves and wide)
    around = np.unique(shift % span)
    constant = float((sizes == len(around)).mean()) >= MOST
    wraps = bool(constant and len(around) < len(distinct) and 2 * len(around) <= span)
    if wraps and len(around) >= WIDE:
        window = window or _run_around(around, span)
    by = dict(zip(distinct.tolist(), counts.tolist(), strict=True))
    rows = len(np.unique(row))
    neighbour = max(by.get(1, 0), by.get(-1, 0))
    steps = len(distinct) <= WIDE and min(by.get(0, 0), neighbour) >= 0.5 * rows
    if not (window or wraps or steps):
        return None
    width = len(around) if wraps else int(np.median(sizes))
    return Pattern(window, width, wraps, span, steps)


def _same(distance: Ints) -> float:
    """The share of the commonest distance."""
    return float(np.unique(distance, return_counts=True)[1].max() / len(distance))


def _run_around(values: Ints, modulus: int) -> bool:
    """Whether values are neighbours on a circle."""
    gaps = np.diff(np.append(values, values[0] + modulus))
    return int((gaps > 1).sum()) <= 1
