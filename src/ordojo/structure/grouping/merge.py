"""Merging classes as long as the description gets shorter."""

import numpy as np
from numpy.typing import NDArray

from ordojo.structure.flat import Floats, Ints

CLASS_BITS, TERM_BITS = 24.0, 12.0
"""What one more class costs, and one more term (or look) of a class."""
MOST = 80
_LEVELS = 2


def merged(
    fixed: Ints,
    loose: NDArray[np.int8],
    start: Ints,
    scale: float = 1.0,
) -> Ints:
    """The classes after merging; `start` are the finest ones, `fixed` never mixes.

    The loose features say whether an item meets a class of the other side. The price of a class is
    that of naming it and its terms, and for each feature the entropy over the members, divided by
    `scale`. Beyond 80 classes the rarest share one.
    """
    count = int(start.max(initial=-1)) + 1
    if count <= 1:
        return start
    sizes = np.bincount(start, minlength=count).astype(np.float64)
    kinds = np.zeros(count, np.int64)
    kinds[start] = fixed
    if count > MOST:
        start, sizes, kinds = _lumped(start, sizes, kinds)
        count = len(sizes)
    width = loose.shape[1]
    hist = np.zeros((count, width, _LEVELS))
    for k in range(width):
        level = loose[:, k].astype(np.int64) & (_LEVELS - 1)
        hist[:, k] = np.bincount(start * _LEVELS + level, minlength=count * _LEVELS).reshape(
            count, _LEVELS
        )
    return _greedy(hist / scale, kinds)[start]


def _lumped(start: Ints, sizes: Floats, kinds: Ints) -> tuple[Ints, Floats, Ints]:
    order = np.argsort(-sizes, kind="stable")
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    values = np.unique(kinds)
    target: Ints = np.where(rank < MOST, rank, MOST + np.searchsorted(values, kinds))
    used = np.unique(target)
    target = np.searchsorted(used, target).astype(np.int64)
    new_sizes = np.bincount(target, sizes).astype(np.float64)
    new_kinds = np.zeros(len(used), np.int64)
    new_kinds[target] = kinds
    return target[start], new_sizes, new_kinds


def _price(hist: Floats) -> Floats:
    """Bits of each histogram block (..., width, levels), without the class's own."""
    total = hist.sum(-1, keepdims=True)
    share = hist / np.where(total > 0, total, 1)
    entropy = -(hist * np.log2(np.where(hist > 0, share, 1))).sum((-2, -1))
    terms = (hist[..., 1] > 0).sum(-1)
    spread = (hist > 0).sum(-1).sum(-1) - hist.shape[-2]
    return np.asarray(entropy + terms * TERM_BITS + spread * 4.0, np.float64)


def _greedy(hist: Floats, kinds: Ints) -> Ints:
    count = len(hist)
    label = np.arange(count)
    alive = np.ones(count, bool)
    price = _price(hist)
    gain = np.full((count, count), -np.inf)

    def fill(a: int) -> None:
        others = np.flatnonzero(alive & (kinds == kinds[a]) & (np.arange(count) != a))
        if len(others):
            joint = _price(hist[others] + hist[a])
            row = price[others] + price[a] + CLASS_BITS - joint
            gain[a, others] = row
            gain[others, a] = row

    for a in range(count):
        fill(a)
    while True:
        best = int(np.argmax(gain))
        a, b = divmod(best, count)
        if gain[a, b] <= 0:
            break
        hist[a] += hist[b]
        price[a] = _price(hist[a])
        alive[b] = False
        gain[b, :] = gain[:, b] = -np.inf
        gain[a, :] = gain[:, a] = -np.inf
        label[label == b] = a
        fill(a)
    return np.unique(label, return_inverse=True)[1].astype(np.int64)
