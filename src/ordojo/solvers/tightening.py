"""What rows and bounds of whole numbers can add up to, so that no tolerance decides what holds."""

from dataclasses import replace

import numpy as np

from ordojo.milp.model import Floats, Model

DIGITS = 4
"""Decimals of a coefficient; one of more is taken as a measured number."""
NEAR = 1e-6
"""A side so near to a value that can be taken is that value: the solvers' tolerance."""


def steps(model: Model) -> Floats:
    """For each row (m) the number of which its activity is a multiple; 0 where it is any real."""
    found = np.zeros(model.m)
    filled = np.flatnonzero(np.diff(model.starts))
    whole = model.whole[model.index]
    for digits in range(DIGITS + 1):
        scaled = model.value * 10.0**digits
        near = np.rint(scaled)
        wrong = ~whole | (np.abs(scaled - near) > 1e-9) | (np.abs(near) > 1e12)
        good = np.bincount(model.entry_rows[wrong], minlength=model.m)[filled] == 0
        if len(filled):
            # Of a row of one coefficient `reduceat` gives this itself, so that none may be below 0.
            sizes = np.where(wrong, 0.0, np.abs(near)).astype(int)
            divisors = np.gcd.reduceat(sizes, model.starts[filled])
            first = good & (found[filled] == 0)
            found[filled[first]] = divisors[first] / 10.0**digits
    return found


def tight(model: Model) -> Model:
    """The model with sides and bounds drawn in to what whole numbers can add up to."""
    if not model.whole.any():
        return model
    step, one = steps(model), (model.whole & ~model.semi).astype(float)
    low, up = model.effective_bounds
    return replace(
        model,
        row_lower=-inward(-model.row_lower, step),
        row_upper=inward(model.row_upper, step),
        col_lower=-inward(-low, one),
        col_upper=inward(up, one),
    )


def inward(upper: Floats, step: Floats) -> Floats:
    """The largest multiple of each step that is no more than the side, or so near above it."""
    with np.errstate(all="ignore"):
        multiple = step * np.floor(upper / step + NEAR * np.maximum(1.0, 1.0 / step))
        return np.where((step > 0) & np.isfinite(upper), np.round(multiple, DIGITS + 2), upper)
