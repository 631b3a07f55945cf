"""A model with other sides, bounds and types throughout."""

import dataclasses
from collections.abc import Sequence

import numpy as np

from ordojo.milp.model import Bytes, Floats, Model


def with_sides(
    model: Model,
    row_lower: Sequence[float] | Floats,
    row_upper: Sequence[float] | Floats,
    col_lower: Sequence[float] | Floats,
    col_upper: Sequence[float] | Floats,
    types: Bytes,
) -> Model:
    """A copy with these sides of rows (m) and bounds (n) and types (n); arrays are copied."""
    return dataclasses.replace(
        model,
        row_lower=np.array(row_lower, np.float64),
        row_upper=np.array(row_upper, np.float64),
        col_lower=np.array(col_lower, np.float64),
        col_upper=np.array(col_upper, np.float64),
        types=types.copy(),
    )
