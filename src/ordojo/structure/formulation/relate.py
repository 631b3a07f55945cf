"""The relation of one term, over the index fields that the formulation shows: a ladder of rungs.

Each rung says a set of (row, column) pairs that contains the term's; equal counts prove it exact.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ordojo.structure.flat import Ints
from ordojo.structure.formulation.codes import firsts, function_of
from ordojo.structure.formulation.relation import (
    Entries,
    Fields,
    Mask,
    Relation,
    matched,
)
from ordojo.structure.formulation.spans import spans
from ordojo.structure.formulation.tabled import keys, lookup, pairs

_MANY, _SAMPLE = 20_000, 50


def relate(e: Entries, single: bool = False) -> Relation:
    """The cheapest rung that says exactly these pairs; every pair in a table, at worst.

    `single`: there is one column a row, and no sum is wanted for it.
    """
    base = _base(e)
    if single:
        looked = lookup(e, base, _taking_part(e.row, e.sizes[0]))
        return replace(base, rows=_taking_part(e.row, e.sizes[0])) if looked is None else looked[1]
    if _holds(e, base):
        return base
    for found in _closed(e, base):
        if _holds(e, found):
            return replace(found, price=2.0)
    rows, cols = _taking_part(e.row, e.sizes[0]), _taking_part(e.col, e.sizes[1])
    options: list[tuple[float, Relation]] = []
    for mine in ({"cols": cols}, {"rows": rows}, {"rows": rows, "cols": cols}):
        kept = {key: mask for key, mask in mine.items() if mask is not None}
        if len(kept) < len(mine):
            continue
        for candidate in (base, *_closed(e, base)):
            found = replace(candidate, rows=kept.get("rows"), cols=kept.get("cols"))
            if _holds(e, found):
                price = sum(
                    _mask_price(mask, e.left if key == "rows" else e.right)
                    for key, mask in kept.items()
                )
                options.append((price, found))
                break
    options += spans(e, base, rows, cols)
    looked = lookup(e, base, rows)
    if looked is not None:
        options.append(looked)
    options += keys(e, base, cols)
    limit = min((price for price, _ in options), default=np.inf)
    options += pairs(e, base, limit)
    if rows is not None:
        scope = _mask_price(rows, e.left)
        limit = min(price for price, _ in options)
        masked = pairs(e, replace(base, rows=rows), limit - scope, partial=True)
        options += [(price + scope, found) for price, found in masked]
    price, found = min(options, key=lambda option: option[0])
    return replace(found, price=price)


def _holds(e: Entries, relation: Relation) -> bool:
    """Whether a relation says these pairs alone; of some rows first, where there are many."""
    if len(e.row) > _MANY:
        some = np.zeros(e.sizes[0], bool)
        some[np.linspace(0, e.sizes[0] - 1, _SAMPLE).astype(np.int64)] = True
        rows = some if relation.rows is None else some & relation.rows
        if matched(e, replace(relation, rows=rows)) != int(some[e.row].sum()):
            return False
    return matched(e, relation) == len(e.row)


def _base(e: Entries) -> Relation:
    """Positions bound by a constant shift, or fixed at one value."""
    bound: dict[int, tuple[int, int]] = {}
    fixed: dict[int, int] = {}
    for b, right in enumerate(e.right):
        values = right[e.col]
        flat = bool((values == values[0]).all())
        best: tuple[int, int, int] | None = None
        for a, left in enumerate(e.left):
            if e.left_words[a] != e.right_words[b]:
                continue
            shift = values - left[e.row]
            if not (shift == shift[0]).all():
                continue
            step = int(shift[0])
            if step and (e.right_words[b] or flat):
                continue
            rank = (abs(step), abs(a - b), a)
            if best is None or rank < best:
                best, bound[b] = rank, (a, step)
        if b not in bound and flat and len(np.unique(right)) > 1:
            fixed[b] = int(values[0])
    if len(bound) > 1:
        bound = _fewest(e, bound, fixed)
    rung = "all" if not bound else "offset" if any(s for _, s in bound.values()) else "equal"
    return Relation(rung, bound, fixed)


def _fewest(
    e: Entries, bound: dict[int, tuple[int, int]], fixed: dict[int, int]
) -> dict[int, tuple[int, int]]:
    """Without shifts that hold by accident: those that the other positions imply."""
    whole = matched(e, Relation("", bound, fixed))
    for b, (_, step) in sorted(bound.items(), key=lambda item: -abs(item[1][1])):
        if not step:
            break
        less = {k: atom for k, atom in bound.items() if k != b}
        if less and matched(e, Relation("", less, fixed)) == whole:
            bound = less
    return bound


def _closed(e: Entries, base: Relation) -> Iterator[Relation]:
    """The base with one window or one modulus on a free position."""
    for b, right in enumerate(e.right):
        if b in base.bound or b in base.fixed or e.right_words[b]:
            continue
        for a, left in enumerate(e.left):
            if e.left_words[a]:
                continue
            shift = right[e.col] - left[e.row]
            low, high = int(shift.min()), int(shift.max())
            yield replace(base, rung="window", window=(a, b, low, high))
            step = int(np.gcd.reduce(shift - shift[0]))
            if step > 1:
                atom = (a, b, int(shift[0]) % step, step)
                yield replace(base, rung="modular", modular=atom)


def _taking_part(which: Ints, size: int) -> Mask | None:
    mask = np.zeros(size, bool)
    mask[which] = True
    return None if mask.all() else mask


def _mask_price(mask: Mask, fields: Fields) -> float:
    found = function_of(mask, fields)
    if found is None:
        return float(mask.sum()) * len(fields)
    mine = [fields[k][mask] for k in found[0]]
    return float(len(firsts(mine, int(mask.sum())))) * len(mine)
