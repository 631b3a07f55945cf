"""What colours of rows and columns are made of, and what two models agree in row by row."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ordojo.milp.model import INF, Model
from ordojo.solvers.equivalence.form import Form, form_of
from ordojo.solvers.equivalence.reduce import State
from ordojo.solvers.equivalence.search import cluster, mixed
from ordojo.structure.flat import Ints
from ordojo.structure.inspection.lines import Hashes, pair, row_sums

Mask = NDArray[np.bool_]
_NEAR_ZERO = 1e-11
_DEPTH = 6


def sketch(model: Model) -> Form:
    """A model in the form in which signs and scales of rows do not count; columns as they are."""
    free = np.full(model.n, INF)
    form = form_of(State(replace(model, col_lower=-free, col_upper=free)), scaled=False)
    low, up = model.effective_bounds
    return with_rows(
        replace(form, low=low, up=up), np.isfinite(form.row_low) | np.isfinite(form.row_up)
    )


def with_rows(form: Form, rows: Mask) -> Form:
    """Only these rows."""
    inside = rows[form.entry_row]
    place = np.cumsum(rows) - 1
    return replace(
        form,
        rows=form.rows[rows],
        entry_row=place[form.entry_row[inside]],
        entry_col=form.entry_col[inside],
        coef=form.coef[inside],
        row_low=form.row_low[rows],
        row_up=form.row_up[rows],
        two_faced=form.two_faced[rows],
    )


def masked(one: Form, other: Form) -> tuple[Form, Form]:
    """Both without what their columns disagree in: bounds, costs or both."""
    found = one, other
    for bounds, costs in ((False, False), (True, False), (False, True), (True, True)):
        a, b = (_without(form, bounds, costs) for form in (one, other))
        found = a, b
        own = _own(a, b)
        if np.array_equal(np.sort(own[0]), np.sort(own[1])):
            break
    return found


def _without(form: Form, bounds: bool, costs: bool) -> Form:
    none = np.zeros(len(form.cols))
    form = replace(form, low=none, up=none) if bounds else form
    return replace(form, cost=none) if costs else form


def _own(one: Form, other: Form) -> tuple[Hashes, Hashes]:
    """A hash of what each column says itself."""
    n = len(one.cols)
    whole = np.zeros(n + len(other.cols), np.uint64)
    for a, b in ((one.kind * 1.0, other.kind * 1.0), (one.cost, other.cost),
                 (one.low, other.low), (one.up, other.up)):  # fmt: skip
        whole = mixed(whole) ^ cluster(np.concatenate([a, b]), _NEAR_ZERO).astype(np.uint64)
    return mixed(whole[:n]), mixed(whole[n:])


def signatures(one: Form, other: Form) -> tuple[Hashes, Hashes]:
    """A hash of what each row says: its sides, and its terms by coefficient and kind of column."""
    own = _own(one, other)
    split = len(one.coef)
    numbers = cluster(np.concatenate([one.coef, -one.coef, other.coef, -other.coef]), 0.0)
    values = mixed(numbers.astype(np.uint64))
    plus = values[:split], values[2 * split : 2 * split + len(other.coef)]
    minus = values[split : 2 * split], values[2 * split + len(other.coef) :]
    ends = np.concatenate([one.row_low, other.row_low]), np.concatenate([one.row_up, other.row_up])
    low, up = (mixed(cluster(end, _NEAR_ZERO).astype(np.uint64)) for end in ends)
    sides = mixed(mixed(low) ^ up)
    found = []
    for k, form in enumerate((one, other)):
        count = len(form.rows)
        face: Hashes = row_sums(form.entry_row, count, mixed(own[k][form.entry_col] ^ plus[k]))
        back: Hashes = row_sums(form.entry_row, count, mixed(own[k][form.entry_col] ^ minus[k]))
        both = np.where(form.two_faced, mixed(face) + mixed(back), mixed(face))
        found.append(both ^ (sides[:count] if k == 0 else sides[len(one.rows) :]))
    return found[0], found[1]


def even(a: Hashes, b: Hashes) -> tuple[Mask, Mask]:
    """The rows whose signature occurs as often in both."""
    keys, place = np.unique(np.concatenate([a, b]), return_inverse=True)
    count = [np.bincount(p, minlength=len(keys)) for p in (place[: len(a)], place[len(a) :])]
    same = count[0] == count[1]
    return same[place[: len(a)]], same[place[len(a) :]]


def rough_match(one: Form, other: Form, given: Ints) -> Ints:
    """Columns alike to the greatest depth: as far as their neighbours' neighbours agree.

    `given` are the columns of the second that are known already, -1 where not.
    """
    forms = one, other
    split = len(forms[0].coef)
    sizes = cluster(np.abs(np.concatenate([form.coef for form in forms])), 0.0).astype(np.uint64)
    weight = mixed(sizes + np.uint64(1 << 40))
    weights = weight[:split], weight[split:]
    colours = list(_own(*forms))
    known = np.flatnonzero(given >= 0)
    colours[0][known] = colours[1][given[known]] = mixed(known.astype(np.uint64))
    depths = [(colours[0], colours[1])]
    for _ in range(_DEPTH):
        for k, form in enumerate(forms):
            terms = mixed(colours[k][form.entry_col] ^ weights[k])
            rows = mixed(row_sums(form.entry_row, len(form.rows), terms))
            order = np.argsort(form.entry_col, kind="stable")
            met = mixed(rows[form.entry_row] ^ weights[k])[order]
            sums = row_sums(form.entry_col[order], len(form.cols), met)
            colours[k] = mixed(colours[k]) + sums
        depths.append((colours[0], colours[1]))
    kinds = mixed(one.kind.astype(np.uint64)), mixed(other.kind.astype(np.uint64))
    cols = given.copy()
    for first, second in [*reversed(depths), kinds]:
        left = np.flatnonzero(cols < 0)
        free = np.setdiff1d(np.arange(len(forms[1].cols)), cols)
        at, to = pair(first[left], second[free])
        cols[left[at]] = free[to]
    return cols
