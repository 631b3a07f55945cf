"""How the rows of two aligned models differ, family by family."""

from collections import Counter

import numpy as np

from ordojo.oracle.equivalence.mapping import near
from ordojo.structure.inspection.couple import Couple, implied
from ordojo.structure.inspection.difference import Difference, Kind, tightness
from ordojo.structure.inspection.layout import Layout
from ordojo.structure.inspection.lines import Match

_LOOK = 1000
"""So many rows of a family are compared term by term."""


def row_differences(two: Couple) -> list[Difference]:
    """One difference for each family with rows that have no equal, by their commonest fault."""
    reference, found = two.mine, two.aligned
    listed = []
    unlike = found.matches != Match.SAME
    lone = np.flatnonzero(unlike & (found.rows < 0) & (np.diff(reference.model.starts) == 1))
    unlike[[i for i in lone.tolist() if implied(reference, i, two.yours, found.cols)]] = False
    for family, rows in enumerate(reference.rows_of):
        wrong = rows[unlike[rows]]
        if not len(wrong):
            continue
        name, size = reference.family_names[family], len(rows)
        seen = [_compared(two, i) for i in wrong[:_LOOK].tolist()]
        count = Counter(kind for kind, _ in seen)
        kind = max(count, key=lambda k: (count[k], k))
        detail, example = "", ""
        kept = [k for k, (own, _) in enumerate(seen) if own == kind]
        i = int(wrong[kept[0]])
        if kind == Kind.MISSING:
            example = reference.row_text(i)
        else:
            said = Counter(seen[k][1] for k in kept)
            detail = max(said, key=lambda text: said[text])
            theirs = two.row_text(int(found.rows[i]))
            example = f"{reference.row_text(i)} is in the candidate {theirs}"
        listed.append(
            Difference(kind, name, len(wrong), size, family=family, detail=detail, example=example)
        )
    return listed


def extra_differences(two: Couple) -> list[Difference]:
    """The candidate's families with rows that are nobody's; bounds said by rows are none."""
    yours, found = two.yours, two.aligned
    bounds = two.bounds()[2]
    kept = []
    for i in found.extra.tolist():
        j = two.lone_column(i)
        if j < 0 or not (bounds[j] or implied(yours, i, two.mine, found.inverse)):
            kept.append(i)
    extra = np.array(kept, np.int64)
    listed = []
    for family in np.unique(yours.families[extra]).tolist():
        rows = extra[yours.families[extra] == family]
        name, size = yours.family_names[family], len(yours.rows_of[family])
        example = two.row_text(int(rows[0]))
        listed.append(Difference(Kind.EXTRA, name, len(rows), size, example=example))
    return listed


def _compared(two: Couple, i: int) -> tuple[Kind, str]:
    """What is wrong with row i, and how in words."""
    reference, found = two.mine, two.aligned
    k = int(found.rows[i])
    if k < 0:
        return Kind.MISSING, ""
    mine = dict(zip(*(part.tolist() for part in reference.model.row(i)), strict=True))
    yours: dict[int, float] = {}
    for c, a in zip(*(part.tolist() for part in two.yours.model.row(k)), strict=True):
        j = int(found.inverse[c])
        yours[j if j >= 0 else -1 - c] = a
    if mine.keys() == yours.keys():
        first = next(iter(mine), None)
        factor = yours[first] / mine[first] if first is not None and mine[first] else 1.0
        if all(near(a * factor, yours[j]) for j, a in mine.items()):
            return Kind.SIDES, _sides(two, i, k, factor)
        return Kind.COEFFICIENTS, ""
    gone = sorted(mine.keys() - yours.keys())
    come = sorted(yours.keys() - mine.keys())
    step = _step(reference, gone, come)
    return (Kind.SHIFTED, step) if step else (Kind.TERMS, "")


def _sides(two: Couple, i: int, k: int, factor: float) -> str:
    reference, candidate = two.mine, two.yours
    mine = reference.model.row_lower[i] * factor, reference.model.row_upper[i] * factor
    low, up = min(mine), max(mine)
    low2, up2 = candidate.model.row_lower[k], candidate.model.row_upper[k]
    return tightness(low, up, float(low2), float(up2))


def _step(reference: Layout, gone: list[int], come: list[int]) -> str:
    """The constant step of one index from the columns left out to those put in, in words."""
    if not gone or not come or come[0] < 0:
        return ""
    group = int(reference.groups[gone[0]])
    if any(int(reference.groups[j]) != group for j in (*gone, *come)):
        return ""
    members = reference.columns_of[group]
    out, into = np.searchsorted(members, gone), np.searchsorted(members, come)
    fields = reference.fields(group)
    for place, field in enumerate(fields):
        others = [f for k, f in enumerate(fields) if k != place]
        a, b = np.sort(field[out]), np.sort(field[into])
        same = all(np.array_equal(np.unique(f[out]), np.unique(f[into])) for f in others)
        few = min(len(a), len(b))
        if not same or abs(len(a) - len(b)) > 1:
            continue
        # A run of shifted terms overlaps with itself: only its ends are left over.
        step = set((b[:few] - a[:few]).tolist())
        if len(step) == 1 and step != {0}:
            by = step.pop()
            return f"index {place + 1} of '{reference.group_names[group]}' is off by {by:+d}"
    return ""
