"""Whether a quadratic objective is convex, so that HiGHS may take it."""

import numpy as np

from ordojo.compat.problem import Quadratic
from ordojo.milp.model import Floats

LARGEST = 2_000
"""Columns in products, above which the question is left open."""


def is_convex(quadratic: Quadratic, maximize: bool) -> bool:
    """Whether a minimum of the part is where its slope vanishes; False where it is not known."""
    q = quadratic
    sign = -1.0 if maximize else 1.0
    used = np.unique(np.concatenate([q.first, q.second]))
    if not len(used):
        return True
    if (q.first == q.second).all():
        return bool((sign * np.bincount(q.first, q.value) >= 0).all())
    if len(used) > LARGEST:
        return False
    matrix: Floats = np.zeros((len(used), len(used)))
    rows, cols = np.searchsorted(used, q.first), np.searchsorted(used, q.second)
    np.add.at(matrix, (rows, cols), sign * q.value / 2)
    np.add.at(matrix, (cols, rows), sign * q.value / 2)
    size = float(np.abs(matrix).max())
    return bool(np.linalg.eigvalsh(matrix).min() >= -1e-9 * max(size, 1e-300) * len(used))
