"""Families that are two: each column of a group stands once in each half."""

from collections import defaultdict

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from ordojo.structure.flat import Flat, Ints
from ordojo.structure.grouping.split import Term, local

MOST_TWICE = 0.8
"""So much of a term at least must be columns that stand twice."""


def halves(flat: Flat, found: list[Term], families: Ints) -> Ints:
    """1 and 2 for rows of a family in which each column of a group stands twice: once in each half.

    Rows that share such a column are in different halves. Where that leaves a choice (the rows
    are not all linked), the file's order decides, if it has one half behind the other, or both in
    turns, and no group keys the rows one to one (then they are one statement over more indices).
    """
    tag = np.zeros(flat.m, np.int64)
    sizes = np.bincount(families)
    room = np.zeros(flat.n + flat.m, np.int64)
    links: dict[tuple[int, int], list[tuple[Ints, Ints]]] = defaultdict(list)
    entries: dict[tuple[int, int], int] = defaultdict(int)
    single, spoiled = set[int](), set[tuple[int, int]]()
    for term in found:
        pair = term.family, term.group
        same = term.col[1:] == term.col[:-1]
        once = not same.any() and len(term.row) == sizes[term.family]
        if once and len(local(term.row, room)[1]) == sizes[term.family]:
            single.add(term.family)
        if (same[1:] & same[:-1]).any():
            spoiled.add(pair)
        links[pair].append((term.row[:-1][same], term.row[1:][same]))
        entries[pair] += len(term.row)
    order = sorted(links, key=lambda pair: -sum(len(a) for a, _ in links[pair]))
    done = set[int]()
    for pair in order:
        family = pair[0]
        one, two = (np.concatenate(parts) for parts in zip(*links[pair], strict=True))
        if pair in spoiled or family in done or 2 * len(one) < max(MOST_TWICE * entries[pair], 1):
            continue
        rows = np.sort(local(np.concatenate([one, two]), room)[1])
        if len(rows) < sizes[family]:
            continue
        half = _coloured(
            np.searchsorted(rows, one), np.searchsorted(rows, two), len(rows), family in single
        )
        if half is not None:
            tag[rows] = half + 1
            done.add(family)
    return tag


def _coloured(one: Ints, two: Ints, count: int, linked: bool) -> Ints | None:
    """Two colours for items so that no link has one colour, the first of each part's being 0."""
    ends = np.concatenate([one, one + count]), np.concatenate([two + count, two])
    graph = coo_matrix((np.ones(len(ends[0]), np.int8), ends), (2 * count, 2 * count))
    parts, label = connected_components(graph, directed=False)
    colour: Ints = (label[:count] > label[count:]).astype(np.int64)
    if (label[:count] == label[count:]).any() or min(colour.sum(), count - colour.sum()) < 2:
        return None
    changes = int((np.diff(colour) != 0).sum())
    if parts > 2 and (linked or changes not in (1, count - 1)):
        return None
    return colour
