"""Small helpers of the generators: key columns and rows of tables."""

from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from ordojo.templates.spec import Column


def plain(values: ArrayLike) -> Column:
    """An array as a column of Python numbers, row by row."""
    return list(np.asarray(values).ravel().tolist())


def ids(count: int) -> Column:
    """A key column of the numbers 1, ..., count."""
    return list(range(1, count + 1))


def cross(**sizes: int) -> dict[str, Column]:
    """Key columns of all combinations of 1, ..., size, the last one fastest."""
    rows = list(product(*(range(1, size + 1) for size in sizes.values())))
    return {name: [row[k] for row in rows] for k, name in enumerate(sizes)}


def row(**values: float) -> dict[str, Column]:
    """The one row of scalar parameters; whole numbers are written as such."""
    return {name: [value] for name, value in values.items()}
