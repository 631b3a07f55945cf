"""Which family is to blame: what each model's best point breaks in the other one."""

from dataclasses import replace

import numpy as np

from ordojo.milp.model import Floats, Model
from ordojo.structure.flat import Ints
from ordojo.structure.inspection import optima
from ordojo.structure.inspection.align import How
from ordojo.structure.inspection.couple import Couple
from ordojo.structure.inspection.difference import Difference, Kind
from ordojo.structure.inspection.optima import Broken, Deviation, Optimum

_WHOSE = {True: "the reference's best point", False: "the candidate's best point"}


def contradictions(
    two: Couple, ends: tuple[Optimum, Optimum], lies: Deviation, seconds: float
) -> list[tuple[bool, Broken]]:
    """What the reference's best point breaks in the candidate (True), and the reverse (False).

    Over-constrained candidates ask for the first, under-constrained ones for the second. An
    unbounded model gives a point better than the other's best.
    """
    one, other = two.mine.model, two.yours.model
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


def _put(model: Model, x: Floats, image: Ints, seconds: float) -> Broken:
    """What a point breaks in a model whose columns are the `image` of its own."""
    kept = np.flatnonzero(image >= 0)
    point = np.zeros(model.n)
    point[image[kept]] = x[kept]
    if len(kept) == model.n:
        return optima.broken(model, point)
    return optima.completed(model, point, image[kept], seconds)


def blamed(
    two: Couple, faults: list[Difference], found: list[tuple[bool, Broken]]
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
        own, share = float(fault.kind == Kind.EXTRA), -fault.changed / fault.size
        return (own, share) if rough else (own, -float(fault.violated > 0), share)

    ranked.sort(key=order)
    rest = [] if rough else [f"{said[0]} ({len(said)} in '{n}')" for (_, n), said in hits.items()]
    return ranked, rest


def _place(two: Couple, i: int, theirs: bool) -> tuple[str, str]:
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
