"""Interactive inspection (paper 003, figure 16): what is wrong with a candidate, in which family.

First whether both are the same problem at all; then the optima; then each model's best point in
the other one, whose broken rows name the family; and the differences of the aligned rows.
"""

from dataclasses import asdict, dataclass
from time import perf_counter
from typing import Any

from ordojo.core.errors import DataError
from ordojo.core.words import amount
from ordojo.milp.model import Model
from ordojo.solvers.answers import Status
from ordojo.solvers.equivalence.comparison import find_mapping
from ordojo.structures.abstraction import Abstraction
from ordojo.structures.flat import Flat, flat_model
from ordojo.structures.inspection import optima
from ordojo.structures.inspection.align import How, align
from ordojo.structures.inspection.difference import (
    AlignedModels,
    Difference,
    DifferenceKind,
    blamed,
    column_differences,
    contradictions,
    extra_differences,
    row_differences,
)
from ordojo.structures.inspection.layout import ModelLayout
from ordojo.structures.inspection.optima import Deviation, Optimum

SECONDS = 30.0
"""For a mapping, the alignment and each solve: a person waits for it."""
_OBJECTIVE = {DifferenceKind.COSTS, DifferenceKind.DIRECTION}
_LARGE = 500_000
"""Entries above which no mapping is sought: only time, as the differences are told all the same."""
_SHOWN = 10
"""Differences in a text; JSON has all."""
_FEW = 0.1
"""Where fewer of the rows have an equal, the models are not built alike: it adds a note alone."""


@dataclass(frozen=True)
class InspectionFinding:
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
        return "\n".join([*lines, f"and {amount(more, 'more difference')}"] if more > 0 else lines)

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
    solve_limit: float | None = None,
) -> InspectionFinding:
    """Compare a candidate with the model that it should be; `found` is the reference's abstraction.

    The search for a mapping and the alignment take at most `time_limit` seconds each, each solve
    `solve_limit` (the same by default). Raises DataError for models with sections beyond linear
    rows (SOS, indicators), which cannot be solved here.
    """
    mine = ModelLayout.of(_linear(reference, "the reference"), found)
    flat = candidate if isinstance(candidate, Flat) else flat_model(candidate)
    yours = ModelLayout.of(_linear(flat, "the candidate"))
    one, other = mine.model, yours.model
    ways = (True, False) if {*one.col_names} == {*other.col_names} else (False,)
    deadline = perf_counter() + time_limit
    # A mapping shows that both are the same problem; large models are only aligned.
    if max(one.nonzeros, other.nonzeros) <= _LARGE and any(
        find_mapping(one, other, way, deadline)[1] is not None for way in ways
    ):
        return _equal(flat)
    two, faults = _compare(mine, yours, time_limit)
    aligned = two.aligned
    if not faults and (aligned.inverse >= 0).all():
        return _equal(flat)
    solving = time_limit if solve_limit is None else solve_limit
    best = optima.solve(mine.model, solving)
    theirs = optima.solve(yours.model, solving)
    lies = optima.deviation(best, theirs)
    validated, priced = lies == Deviation.NONE, theirs
    if not validated and not _OBJECTIVE.isdisjoint(fault.kind for fault in faults):
        if two.priced is not None:
            priced = optima.solve(two.priced, solving)
            lies = optima.deviation(best, priced)
            lies = Deviation.COSTS if lies == Deviation.NONE else lies
        elif Status.INFEASIBLE not in (best.status, theirs.status):
            lies = Deviation.OPEN  # two objectives' values say nothing of the plans
    notes = [_compared(lies, best, theirs, priced)]
    faults, said = blamed(two, faults, contradictions(two, (best, priced), lies, solving))
    notes += said
    if aligned.alike < _FEW:
        notes.append(
            "hardly a row has an equal in the other: the models may be built in another way"
        )
    elif aligned.how == How.ROUGH:
        notes.append("the columns could only be matched roughly, so what follows is a guess")
    if not faults:
        notes.append("no difference was found between the aligned models")
    return InspectionFinding(
        False, validated, lies, best.text(), theirs.text(), aligned.how, tuple(faults), tuple(notes)
    )


def structural(reference: Model, candidate: Model, time_limit: float) -> tuple[Difference, ...]:
    """The differences of the aligned models, the largest share of a family first; no solves.

    Empty where hardly a row has an equal in the other: such models are built in another way. Raises
    DataError as `flat_model`.
    """
    mine, yours = (ModelLayout.of(flat_model(model)) for model in (reference, candidate))
    two, faults = _compare(mine, yours, time_limit)
    if two.aligned.alike < _FEW:
        return ()
    return tuple(sorted(faults, key=lambda fault: -fault.changed / fault.size))


def _compare(
    mine: ModelLayout, yours: ModelLayout, seconds: float
) -> tuple[AlignedModels, list[Difference]]:
    two = AlignedModels(mine, yours, align(mine, yours, seconds))
    return two, [*column_differences(two), *row_differences(two), *extra_differences(two)]


def _equal(flat: Flat) -> InspectionFinding:
    note = f"equal: the models match, {amount(flat.n, 'column')} and {amount(flat.m, 'row')}"
    return InspectionFinding(True, True, None, "", "", None, (), (note,))


def _linear(flat: Flat, which: str) -> Flat:
    for section in flat.sections:
        head = section.split(maxsplit=1)[0].decode("latin-1") if section.strip() else ""
        raise DataError(
            f"{which} has a section {head}; only linear models can be inspected, so state it by "
            "linear rows"
        )
    return flat


def _compared(lies: Deviation, best: Optimum, other: Optimum, priced: Optimum) -> str:
    """How the optima lie, the candidate's also by the reference's objective where that differs."""
    ends = f"the reference has {best.text()}, the candidate {other.text()}"
    if priced is not other:
        ends += f", by the reference's objective {priced.text()}"
    meaning = {
        Deviation.NONE: "the optima agree, so the instance validates, though the models differ",
        Deviation.OVER: "the candidate is over-constrained: it forbids what is best",
        Deviation.UNDER: "the candidate is under-constrained: it allows more than it should",
        Deviation.COSTS: "the objective differs, and that alone sets the optima apart",
        Deviation.OPEN: "the optima decide nothing, only the structure does",
    }[lies]
    return f"{meaning} ({ends})"
