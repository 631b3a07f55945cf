"""Entries apart by which indices of the row those of the column equal: `x[i, t] + x[j, t]`.

A binding is a set of equations between indices; what it says are the pairs that fulfil all of them.
A cover is bindings that share no pair and together say all entries. It is found greedily, as for
set cover (Chvatal, 1979): the binding that holds of most of the entries that are left, if it says
no pair beside those. Which bindings is settled on a few rows; all entries are then parted by them.
"""

from itertools import product

import numpy as np

from ordojo.structure.abstraction.relations import Join, Mask, count
from ordojo.structure.arrays import distinct
from ordojo.structure.flat import Ints

MOST_TERMS = 6
"""Parts of a cover; with 2: 103 numbers more in 21 terms less, of 531,460 and 1,975."""
_ROWS, _ENTRIES, _WAYS, _TRIES = 60, 2000, 200, 8
"""Rows and entries that bindings are sought on, bindings, and counts in all: they bound time."""
_COMMON = 0.1
"""The share of entries for which a shift between two indices must be the same: as many parts as a
cover may have, each of them about equally large, still show."""

Atoms = list[tuple[int, int, int]]


def cover(
    row: Ints, col: Ints, left: list[Ints], right: list[Ints], sizes: tuple[int, int]
) -> list[Mask]:
    """Disjoint parts of the entries, those that no binding says last; found on some rows alone."""
    taking = distinct(row)
    rows = min(len(taking), _ROWS, 4 + _ENTRIES * len(taking) // len(row))
    some = np.zeros(sizes[0], bool)
    some[taking[np.linspace(0, len(taking) - 1, rows).astype(np.int64)]] = True
    few = some[row]
    mine, theirs = row[few], col[few]
    every = _ways(mine, theirs, left, right)
    ways = [(way, _held(way, mine, theirs, left, right)) for way in every]
    rest, chosen, tries = np.ones(len(mine), bool), list[Atoms](), _TRIES
    while rest.any() and len(chosen) < MOST_TERMS:
        ways = [(way, held & rest) for way, held in ways]
        ways.sort(key=lambda one: (int(one[1].sum()), len(one[0])), reverse=True)
        for way, held in ways:
            if not held.any() or not tries:
                return _apart(chosen, row, col, left, right)
            tries -= 1
            met = np.zeros(sizes[0], bool)
            met[mine[held]] = True
            said = Join(way, None, None, None, met, None)
            if count(said, left, right, sizes) == held.sum():
                chosen.append(way)
                rest &= ~held
                break
        else:
            break
    return _apart(chosen, row, col, left, right)


def _apart(
    chosen: list[Atoms], row: Ints, col: Ints, left: list[Ints], right: list[Ints]
) -> list[Mask]:
    rest, found = np.ones(len(row), bool), []
    for way in chosen:
        found.append(_held(way, row, col, left, right) & rest)
        rest &= ~found[-1]
    return [mask for mask in (*found, rest) if mask.any()]


def _held(way: Atoms, row: Ints, col: Ints, left: list[Ints], right: list[Ints]) -> Mask:
    """The entries of which all equations hold."""
    held = np.ones(len(row), bool)
    for a, b, shift in way:
        held &= right[b][col] == left[a][row] + shift
    return held


def _ways(row: Ints, col: Ints, left: list[Ints], right: list[Ints]) -> list[Atoms]:
    """Equations for some indices of the column, each at most one: equal, or a common shift."""
    options: list[Atoms] = []
    for b, field in enumerate(right):
        mine: Atoms = []
        for a, other in enumerate(left):
            shifts, times = np.unique(field[col] - other[row], return_counts=True)
            common = shifts[times >= _COMMON * len(row)]
            mine += [(a, b, int(shift)) for shift in common]
        options.append(mine)
    if np.prod([len(one) + 1 for one in options]) > _WAYS:
        options = [[atom for atom in one if not atom[2]] for one in options]
    if np.prod([len(one) + 1 for one in options]) > _WAYS:
        return []
    every = product(*([None, *one] for one in options))
    return [way for one in every if (way := [atom for atom in one if atom is not None])]
