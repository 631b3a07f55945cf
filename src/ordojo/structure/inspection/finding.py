"""Interactive inspection (paper 003, figure 16): what is wrong with a candidate, in which family.

First whether both are the same problem at all; then the optima; then each model's best point in
the other one, whose broken rows name the family; and the differences of the aligned rows.
"""

from dataclasses import asdict, dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np

from ordojo.core.errors import DataError
from ordojo.milp.model import Floats, Model
from ordojo.oracle.equivalence.comparison import find_mapping
from ordojo.structure.abstraction import Abstraction
from ordojo.structure.convert import flat_model
from ordojo.structure.flat import Flat, Ints
from ordojo.structure.inspection import optima
from ordojo.structure.inspection.align import How, align
from ordojo.structure.inspection.columns_apart import column_differences
from ordojo.structure.inspection.couple import Couple
from ordojo.structure.inspection.difference import Difference, Kind
from ordojo.structure.inspection.layout import Layout
from ordojo.structure.inspection.optima import Broken, Deviation, Optimum
from ordojo.structure.inspection.rows_apart import extra_differences, row_differences

SECONDS = 30.0

_LARGE = 500_000
_SHOWN = 10
_FEW = 0.1
"""Where fewer of the rows have an equal, the models are not built alike."""

_WHOSE = {True: "the reference's best point", False: "the candidate's best point"}


@dataclass(frozen=True)
class Finding:
    """What inspection says of a candidate.

    `equal`: a mapping of rows and columns shows that both are the same problem. `validated`: the
    instance passes by it, or by the same optimum. `differences` are the faults, the likeliest
    first; `reference` and `candidate` say how each solve ended, `aligned` how columns were matched.
    """

    equal: bool
    validated: bool
    deviation: Deviation | None
    reference: str
    candidate: str
    aligned: How | None
    differences: tuple[Difference, ...] = ()
    notes: tuple[str, ...] = ()

    def text(self) -> str:
        """The finding for a person."""
        lines = [*self.notes, *(f"- {d.sentence}" for d in self.differences[:_SHOWN])]
        more = len(self.differences) - _SHOWN
        return "\n".join([*lines, f"and {more} more differences"] if more > 0 else lines)

    def to_json(self) -> dict[str, Any]:
        """The finding as plain JSON."""
        told = asdict(self)
        told["differences"] = [{**asdict(d), "sentence": d.sentence} for d in self.differences]
        return told


def inspect(
    reference: Flat,
    candidate: Flat | Model,
    found: Abstraction | None = None,
    time_limit: float = SECONDS,
    known: Optimum | None = None,
    solve_limit: float | None = None,
) -> Finding:
    """Compare a candidate with the model that it should be; `found` is the reference's abstraction.

    The search for a mapping and the alignment take at most `time_limit` seconds each, each solve
    `solve_limit` (the same by default); `known` is the reference's optimum, where it was solved
    before. Raises DataError for models with sections beyond linear rows (SOS, indicators), which
    cannot be solved here.
    """
    mine = Layout.of(_linear(reference, "the reference"), found)
    flat = candidate if isinstance(candidate, Flat) else flat_model(candidate)
    yours = Layout.of(_linear(flat, "the candidate"))
    if _mapped(mine.model, yours.model, time_limit):
        return _equal(flat)
    aligned = align(mine, yours, time_limit)
    two = Couple(mine, yours, aligned)
    faults = [*row_differences(two), *column_differences(two), *extra_differences(two)]
    if not faults and (aligned.inverse >= 0).all():
        return _equal(flat)
    solving = time_limit if solve_limit is None else solve_limit
    best = known or optima.solve(mine.model, solving)
    other = optima.solve(yours.model, solving)
    lies = optima.deviation(best, other)
    notes = [_compared(lies, best, other)]
    faults, said = _blamed(two, faults, _contradictions(two, (best, other), lies, solving))
    notes += said
    if aligned.alike < _FEW:
        notes.append("the models are built in another way: hardly a row has an equal in the other")
    elif aligned.how == How.ROUGH:
        notes.append("the columns could only be matched roughly, so what follows is a guess")
    if not faults:
        notes.append("no difference was found between the aligned models")
    validated = lies == Deviation.NONE
    return Finding(
        False, validated, lies, best.text(), other.text(), aligned.how, tuple(faults), tuple(notes)
    )


def _mapped(one: Model, other: Model, seconds: float) -> bool:
    """Whether a mapping shows that both are the same problem; large models are only aligned."""
    if max(one.nonzeros, other.nonzeros) > _LARGE:
        return False
    deadline = perf_counter() + seconds
    ways = (True, False) if {*one.col_names} == {*other.col_names} else (False,)
    return any(find_mapping(one, other, by_name, deadline)[1] is not None for by_name in ways)


def _equal(flat: Flat) -> Finding:
    note = f"equal: the models match, {flat.n} columns and {flat.m} rows"
    return Finding(True, True, None, "", "", None, (), (note,))


def _linear(flat: Flat, which: str) -> Flat:
    for section in flat.sections:
        head = section.split(maxsplit=1)[0].decode("latin-1") if section.strip() else ""
        raise DataError(
            f"{which} has a section {head}; only linear models can be inspected, so state it by "
            "linear rows"
        )
    return flat


def _compared(lies: Deviation, best: Optimum, other: Optimum) -> str:
    ends = f"the reference has {best.text()}, the candidate {other.text()}"
    meaning = {
        Deviation.NONE: "the optima agree, so the instance validates, though the models differ",
        Deviation.OVER: "the candidate is over-constrained: it forbids what is best",
        Deviation.UNDER: "the candidate is under-constrained: it allows more than it should",
        Deviation.OPEN: "the optima decide nothing, only the structure does",
    }[lies]
    return f"{meaning} ({ends})"


def _contradictions(
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


def _blamed(
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
