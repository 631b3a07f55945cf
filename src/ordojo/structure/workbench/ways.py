"""Ways to split a group or a family: what its members differ in."""

import numpy as np

from ordojo.core.errors import UsageError
from ordojo.structure.flat import Flat, Floats, Ints
from ordojo.structure.grouping.features import column_types, numbered
from ordojo.structure.grouping.names import templates

MOST = 100
"""The most parts of one split."""
COLUMNS = ("type", "bounds", "cost", "meets", "name", "run")
ROWS = ("sense", "side", "rhs", "range", "length", "meets", "name", "run")
MEANING = {
    "type": "continuous, integer, binary, semi-continuous",
    "bounds": "which bounds are 0, another number, or none",
    "cost": "no cost, a positive or a negative one",
    "sense": "=, <=, >=",
    "side": "right-hand side 0, positive or negative",
    "rhs": "the right-hand side's value",
    "range": "with a range or without",
    "length": "the number of coefficients",
    "meets": "what stands in the same rows or columns",
    "name": "the pattern of the name",
    "run": "where they do not follow each other in the file",
    "members": "members from one to another",
}


def parts(
    flat: Flat, side: str, items: Ints, other: Ints, by: str, first: int = 0, last: int = 0
) -> Ints:
    """The part 0, 1, ... of each member, in order of appearance.

    `side` is "groups" or "families", `other` the labels of the other side. `by` is a way of that
    side, or "members" with `first` to `last`, counted from 1. Raises UsageError for anything else.
    """
    if by == "members":
        if not 1 <= first <= last <= len(items):
            raise UsageError(f"members {first} to {last} are not there; give 1 to {len(items)}")
        place = np.arange(1, len(items) + 1)
        return numbered(((place >= first) & (place <= last)).astype(np.int64))
    ways = COLUMNS if side == "groups" else ROWS
    if by not in ways:
        raise UsageError(f"there is no way '{by}' to split {side}; known: {', '.join(ways)}")
    if by == "meets":
        return numbered(_meets(flat, side, items, other))
    names = flat.cols if side == "groups" else flat.rows
    if by == "name":
        return numbered(templates(names.take(items))[0])
    if by == "run":
        return np.cumsum(np.diff(items, prepend=items[:1]) > 1)
    return numbered(_column(flat, items, by) if side == "groups" else _row(flat, items, by))


def _column(flat: Flat, items: Ints, by: str) -> Ints:
    if by == "type":
        return column_types(flat)[items]
    if by == "bounds":
        return _kind(flat.lower[items]) * 8 + _kind(flat.upper[items])
    return _kind(flat.objective[items])


def _row(flat: Flat, items: Ints, by: str) -> Ints:
    if by == "sense":
        return flat.senses[items].astype(np.int64)
    if by == "side":
        return _kind(flat.rhs[items])
    if by == "rhs":
        return (flat.rhs[items] + 0.0).view(np.int64)
    if by == "range":
        return np.isnan(flat.ranges[items]).astype(np.int64)
    return np.bincount(flat.index, minlength=flat.m)[items]


def _kind(values: Floats) -> Ints:
    """0, 1, another number by its sign, or no number by its sign."""
    kind = np.where(values > 0, 2, np.where(values < 0, 3, 0))
    kind = np.where(values == 1, 1, kind)
    return np.asarray(np.where(np.isinf(values), kind + 2, kind), np.int64)


def _meets(flat: Flat, side: str, items: Ints, other: Ints) -> Ints:
    """A number for the set of the other side's classes that each item meets."""
    mine, its = (flat.entry_cols, flat.index) if side == "groups" else (flat.index, flat.entry_cols)
    place = np.full(flat.n if side == "groups" else flat.m, -1, np.int64)
    place[items] = np.arange(len(items))
    chosen = place[mine] >= 0
    width = int(other.max(initial=-1)) + 1
    pairs = np.unique(place[mine[chosen]] * width + other[its[chosen]])
    weights = np.random.Generator(np.random.PCG64(11)).integers(1, 1 << 62, width + 1)
    found = np.zeros(len(items), np.int64)
    with np.errstate(over="ignore"):
        np.add.at(found, pairs // max(width, 1), weights[pairs % max(width, 1)])
    return found
