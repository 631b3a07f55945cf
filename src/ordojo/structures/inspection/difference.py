"""What can be wrong with a family or a group, in a sentence, and where two aligned models differ.

Their columns and rows are compared member by member (`column_differences`, `row_differences`,
`extra_differences`); the rows that one model's best point breaks in the other rank what was found
(`contradictions`, `blamed`).
"""

from collections import Counter
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

import numpy as np

from ordojo.core.words import amount
from ordojo.milp.model import Floats, Model
from ordojo.solvers.equivalence.reduce import near
from ordojo.structures.flat import Ints, Mask
from ordojo.structures.inspection import optima
from ordojo.structures.inspection.align import Alignment, How, Match
from ordojo.structures.inspection.layout import ModelLayout
from ordojo.structures.inspection.optima import Deviation, Optimum, Violations


class DifferenceKind(StrEnum):
    """What is wrong with a family, a group, or the model."""

    MISSING = "missing"
    EXTRA = "extra"
    SENSES = "direction"
    SIDES = "right-hand side"
    COEFFICIENTS = "coefficients"
    SHIFTED = "shifted index"
    TERMS = "other terms"
    BOUNDS = "bounds"
    TYPES = "types"
    COSTS = "objective"
    DIRECTION = "min and max"
    COLUMNS = "columns"


@dataclass(frozen=True)
class Difference:
    """One kind of fault in one family (`family` >= 0) or group (`group` >= 0) of the reference.

    Both are -1 for a family that only the candidate has, and for the whole objective. `changed` of
    `size` members differ, `detail` says how and `example` shows one. `violated` counts the members
    that the mapped optimum of the other model breaks, `broken` shows one.
    """

    kind: DifferenceKind
    name: str
    changed: int
    size: int
    family: int = -1
    group: int = -1
    detail: str = ""
    example: str = ""
    violated: int = 0
    broken: str = ""

    @property
    def sentence(self) -> str:
        """The fault in a sentence."""
        many = f"{self.changed} of {self.size}"
        rows = amount(self.changed, "row")
        text = _SAID[self.kind].format(name=self.name, rows=rows, many=many)
        if self.kind == DifferenceKind.COSTS and self.group < 0:
            text = "the objective has another constant"
        parts = [text, self.detail, self.example and f"for example {self.example}", self.broken]
        return "; ".join(part for part in parts if part)


_SAID = {
    DifferenceKind.MISSING: "family '{name}' is missing ({many} rows)",
    DifferenceKind.EXTRA: "the candidate has {rows} '{name}' that the reference has not",
    DifferenceKind.SENSES: "family '{name}' has another direction ({many} rows)",
    DifferenceKind.SIDES: "family '{name}' has other right-hand sides ({many} rows)",
    DifferenceKind.COEFFICIENTS: "family '{name}' has other coefficients ({many} rows)",
    DifferenceKind.SHIFTED: "family '{name}' has a shifted index ({many} rows)",
    DifferenceKind.TERMS: "family '{name}' has other terms ({many} rows)",
    DifferenceKind.BOUNDS: "group '{name}' has other bounds ({many} columns)",
    DifferenceKind.TYPES: "group '{name}' has other types ({many} columns)",
    DifferenceKind.COSTS: "group '{name}' has other objective coefficients ({many} columns)",
    DifferenceKind.DIRECTION: "one model minimizes and the other maximizes",
    DifferenceKind.COLUMNS: "group '{name}' has {many} columns without a counterpart",
}


def tightness(low: float, up: float, low2: float, up2: float) -> str:
    """Whether the second interval lies within the first or about it; "" for neither."""
    tighter, looser = low2 > low or up2 < up, low2 < low or up2 > up
    if tighter and looser:
        return ""
    return "tighter in the candidate" if tighter else "looser in the candidate"


_RELATIVE = 1e-9
"""Numbers that differ by less are equal: that is more than texts of ten digits lose, and less than
any change that moves an optimum beyond 1e-6."""


@dataclass(frozen=True, eq=False)
class AlignedModels:
    """Two aligned models; `mine` is the reference, `yours` the candidate."""

    mine: ModelLayout
    yours: ModelLayout
    aligned: Alignment

    def spelled(self, c: int) -> str:
        """The candidate's column in the reference's words, where it has a counterpart."""
        j = int(self.aligned.inverse[c])
        return self.mine.flat.cols.text(j) if j >= 0 else self.yours.flat.cols.text(c)

    def row_text(self, k: int) -> str:
        """The candidate's row in the reference's words."""
        return self.yours.row_text(k, self.spelled)

    @cached_property
    def counterparts(self) -> Ints:
        """The reference's row for each of the candidate's, -1 for none."""
        found = np.full(self.yours.model.m, -1)
        kept = np.flatnonzero(self.aligned.rows >= 0)
        found[self.aligned.rows[kept]] = kept
        return found

    @cached_property
    def priced(self) -> Model | None:
        """The candidate with the reference's objective, so that their optima compare their plans.

        None where a column that costs has no counterpart, or by a guess alone.
        """
        one, other, cols = self.mine.model, self.yours.model, self.aligned.cols
        lost = one.objective[cols < 0].any() or other.objective[self.aligned.inverse < 0].any()
        if lost or self.aligned.how == How.ROUGH:
            return None
        there, costs = cols >= 0, np.zeros(other.n)
        costs[cols[there]] = one.objective[there]
        return replace(other, objective=costs, offset=one.offset, maximize=one.maximize)

    def lone_column(self, k: int) -> int:
        """The reference's column that the candidate's row of a single term bounds, else -1."""
        index, _ = self.yours.model.row(k)
        return int(self.aligned.inverse[index[0]]) if len(index) == 1 else -1

    def bounds(self) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats], Mask]:
        """Bounds of the reference's columns in both, with what rows of a single term add.

        And where they differ: where rows say in one model what bounds say in the other, they do
        not. Columns without a counterpart have no bounds in the candidate.
        """
        kept = np.flatnonzero(self.aligned.cols >= 0)
        at = self.aligned.cols[kept]
        own, tight = self.mine.model.effective_bounds, self.mine.implied_bounds
        own2, tight2 = self.yours.model.effective_bounds, self.yours.implied_bounds
        low, up = np.full(len(own[0]), -np.inf), np.full(len(own[0]), np.inf)
        low[kept], up[kept] = tight2[0][at], tight2[1][at]
        differ = np.zeros(len(own[0]), bool)
        differ[kept] = (far(own[0][kept], own2[0][at]) | far(own[1][kept], own2[1][at])) & (
            far(tight[0][kept], tight2[0][at]) | far(tight[1][kept], tight2[1][at])
        )
        return tight, (low, up), differ


def far(a: Floats, b: Floats) -> Mask:
    """Where numbers differ beyond rounding."""
    with np.errstate(invalid="ignore"):
        off = np.abs(a - b) > _RELATIVE * np.maximum(np.abs(a), np.abs(b))
    return np.where(np.isinf(a) | np.isinf(b), a != b, off)


def implied(mine: ModelLayout, i: int, yours: ModelLayout, cols: Ints) -> bool:
    """Whether a row of a single term says no more than the other model's bounds."""
    index, value = mine.model.row(i)
    at = int(cols[index[0]])
    if at < 0 or not value[0]:
        return False
    ends = mine.model.row_lower[i] / value[0], mine.model.row_upper[i] / value[0]
    low, up = (float(side[at]) for side in yours.implied_bounds)
    slip = _RELATIVE * max([1.0, *(abs(end) for end in (*ends, low, up) if np.isfinite(end))])
    return bool(low >= min(ends) - slip and up <= max(ends) + slip)


_TYPES = ("continuous", "integer", "binary", "semicontinuous", "semi-integer")


def column_differences(two: AlignedModels) -> list[Difference]:
    """Columns without counterpart, then other bounds, types and costs."""
    one, other = two.mine.model, two.yours.model
    cols = two.aligned.cols
    there = cols >= 0
    kept = np.flatnonzero(there)
    types, costs = np.zeros(one.n, bool), np.zeros(one.n, bool)
    at = cols[kept]
    types[kept] = (one.whole[kept] != other.whole[at]) | (one.semi[kept] != other.semi[at])
    sign = -1.0 if one.maximize != other.maximize else 1.0
    costs[kept] = far(one.objective[kept], sign * other.objective[at])
    (low, up), (low2, up2), bounds = two.bounds()
    found = []
    for group, columns in enumerate(two.mine.columns_of):
        for kind, where in (
            (DifferenceKind.COLUMNS, ~there), (DifferenceKind.BOUNDS, bounds),
            (DifferenceKind.TYPES, types), (DifferenceKind.COSTS, costs),
        ):  # fmt: skip
            wrong = columns[where[columns]]
            if not len(wrong):
                continue
            j, detail = int(wrong[0]), ""
            example, k = two.mine.flat.cols.text(j), int(cols[j])
            if kind == DifferenceKind.BOUNDS:
                ends = float(low[j]), float(up[j]), float(low2[j]), float(up2[j])
                example += " in [{:g}, {:g}] is in the candidate in [{:g}, {:g}]".format(*ends)
                detail = tightness(*ends)
            elif kind == DifferenceKind.TYPES:
                kinds = _TYPES[int(one.types[j])], _TYPES[int(other.types[k])]
                example += f" is {kinds[0]}, in the candidate {kinds[1]}"
            elif kind == DifferenceKind.COSTS:
                price, other_price = one.objective[j], sign * other.objective[k]
                example += f" costs {price:g}, in the candidate {other_price:g}"
            name, size = two.mine.group_names[group], len(columns)
            found.append(Difference(kind, name, len(wrong), size, -1, group, detail, example))
    constants = one.offset, sign * other.offset
    if far(*(np.array([constant]) for constant in constants))[0]:
        said = "the constant {:g} is in the candidate {:g}".format(*constants)
        found.append(Difference(DifferenceKind.COSTS, "objective", 1, 1, example=said))
    changed = sum(d.changed for d in found if d.kind == DifferenceKind.COSTS and d.group >= 0)
    if sign < 0 and changed == np.count_nonzero(one.objective) > 0:
        found = [d for d in found if d.kind != DifferenceKind.COSTS]
        found.append(Difference(DifferenceKind.DIRECTION, "objective", 1, 1))
    return found


_LOOK = 1000
"""So many rows of a family are compared term by term."""


def row_differences(two: AlignedModels) -> list[Difference]:
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
        seen = [_row_compared(two, i) for i in wrong[:_LOOK].tolist()]
        count = Counter(kind for kind, _ in seen)
        kind = max(count, key=lambda k: (count[k], k))
        detail, example = "", ""
        kept = [k for k, (own, _) in enumerate(seen) if own == kind]
        i = int(wrong[kept[0]])
        if kind == DifferenceKind.MISSING:
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


def extra_differences(two: AlignedModels) -> list[Difference]:
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
        listed.append(Difference(DifferenceKind.EXTRA, name, len(rows), size, example=example))
    return listed


def _row_compared(two: AlignedModels, i: int) -> tuple[DifferenceKind, str]:
    """What is wrong with row i, and how in words."""
    reference, found = two.mine, two.aligned
    k = int(found.rows[i])
    if k < 0:
        return DifferenceKind.MISSING, ""
    mine = reference.model.terms(i)
    yours: dict[int, float] = {}
    for c, a in two.yours.model.terms(k).items():
        j = int(found.inverse[c])
        yours[j if j >= 0 else -1 - c] = a
    if mine.keys() == yours.keys():
        first = next(iter(mine), None)
        factor = yours[first] / mine[first] if first is not None and mine[first] else 1.0
        if all(near(a * factor, yours[j]) for j, a in mine.items()):
            return _sides(two, i, k, factor)
        return DifferenceKind.COEFFICIENTS, ""
    gone = sorted(mine.keys() - yours.keys())
    come = sorted(yours.keys() - mine.keys())
    step = _step(reference, gone, come)
    return (DifferenceKind.SHIFTED, step) if step else (DifferenceKind.TERMS, "")


def _sides(two: AlignedModels, i: int, k: int, factor: float) -> tuple[DifferenceKind, str]:
    reference, candidate = two.mine, two.yours
    mine = reference.model.row_lower[i] * factor, reference.model.row_upper[i] * factor
    low, up = min(mine), max(mine)
    low2, up2 = candidate.model.row_lower[k], candidate.model.row_upper[k]
    senses = _sense(low, up), _sense(low2, up2)
    if senses[0] != senses[1]:
        return DifferenceKind.SENSES, f"{senses[1]} in the candidate, not {senses[0]}"
    return DifferenceKind.SIDES, tightness(low, up, float(low2), float(up2))


def _sense(low: float, up: float) -> str:
    if low == up:
        return "="
    if np.isinf(low):
        return "free" if np.isinf(up) else "<="
    return ">=" if np.isinf(up) else "a range"


def _step(reference: ModelLayout, gone: list[int], come: list[int]) -> str:
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


_WHOSE = {True: "the reference's best point", False: "the candidate's best point"}


def contradictions(
    two: AlignedModels, ends: tuple[Optimum, Optimum], lies: Deviation, seconds: float
) -> list[tuple[bool, Violations]]:
    """What the reference's best point breaks in the candidate (True), and the reverse (False).

    Both are the best by the reference's objective where that can be had of the candidate.
    Over-constrained candidates ask for the first, under-constrained ones for the second. An
    unbounded model gives a point better than the other's best.
    """
    one, other = two.mine.model, two.priced or two.yours.model
    points = [end.x for end in ends]
    if lies == Deviation.UNDER and points[1] is None:
        points[1] = optima.better_point(other, ends[0].high, seconds)
    if lies == Deviation.OVER and points[0] is None:
        points[0] = optima.better_point(one, ends[1].high, seconds)
    found = []
    if lies != Deviation.UNDER and points[0] is not None:
        found.append((True, _put(other, points[0], two.aligned.cols, seconds)))
    if lies != Deviation.OVER and points[1] is not None:
        found.append((False, _put(one, points[1], two.aligned.inverse, seconds)))
    return found


def _put(model: Model, x: Floats, image: Ints, seconds: float) -> Violations:
    """What a point breaks in a model whose columns are the `image` of its own."""
    kept = np.flatnonzero(image >= 0)
    point = np.zeros(model.n)
    point[image[kept]] = x[kept]
    if len(kept) == model.n:
        return optima.broken(model, point)
    return optima.completed(model, point, image[kept], seconds)


def blamed(
    two: AlignedModels, faults: list[Difference], found: list[tuple[bool, Violations]]
) -> tuple[list[Difference], list[str]]:
    """The faults with the rows that points break, the likeliest first; and what else is broken."""
    hits: dict[tuple[str, str], list[str]] = {}
    for theirs, broken in found:
        for i, excess in zip(broken.rows.tolist(), broken.row_excess.tolist(), strict=True):
            text = two.row_text(i) if theirs else two.mine.row_text(i)
            by = f" by {excess:.3g} relative" if excess else ""
            hits.setdefault(_place(two, i, theirs), []).append(
                f"{_WHOSE[theirs]} breaks {text}{by}"
            )
        for c in broken.cols.tolist():
            j = int(two.aligned.inverse[c]) if theirs else c
            group = two.mine.group_names[int(two.mine.groups[j])] if j >= 0 else two.spelled(c)
            name = two.spelled(c) if theirs else two.mine.flat.cols.text(c)
            text = f"{_WHOSE[theirs]} breaks a bound of {name}"
            hits.setdefault(("columns", group), []).append(text)
    ranked = []
    for fault in faults:
        said = hits.pop(("columns" if fault.group >= 0 else "rows", fault.name), [])
        ranked.append(replace(fault, violated=len(said), broken=said[0] if said else ""))
    rough = two.aligned.how == How.ROUGH

    def order(fault: Difference) -> tuple[float, ...]:
        # A point mapped roughly breaks rows everywhere, so it decides nothing.
        own, share = float(fault.kind == DifferenceKind.EXTRA), -fault.changed / fault.size
        return (own, share) if rough else (own, -float(fault.violated > 0), share)

    ranked.sort(key=order)
    rest = [] if rough else [f"{said[0]} ({len(said)} in '{n}')" for (_, n), said in hits.items()]
    return ranked, rest


def _place(two: AlignedModels, i: int, theirs: bool) -> tuple[str, str]:
    """The family of a broken row, or the group whose bounds it is where only the candidate has it.

    A candidate's row belongs to the family of its counterpart.
    """
    row = i
    if theirs:
        row, j = int(two.counterparts[i]), two.lone_column(i)
        if row < 0 and j >= 0:
            return "columns", two.mine.group_names[int(two.mine.groups[j])]
        if row < 0:
            return "rows", two.yours.family_names[int(two.yours.families[i])]
    return "rows", two.mine.family_names[int(two.mine.families[row])]
