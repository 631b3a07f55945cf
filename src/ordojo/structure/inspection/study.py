"""How often inspection names the family of an injected error, by kind of error, names or none."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ordojo.core.errors import GeneratorError
from ordojo.core.seeds import generator
from ordojo.oracle.equivalence.comparison import find_mapping
from ordojo.structure.flat import Flat
from ordojo.structure.inspection import optima
from ordojo.structure.inspection.difference import Difference
from ordojo.structure.inspection.finding import Finding, inspect
from ordojo.structure.inspection.inject import Error, Injected, hidden, inject
from ordojo.structure.inspection.layout import Layout, model_of

_TRIES = 30
_SETTLE, _SOLVE = 5.0, 2.0
"""Seconds in which an error must turn out to change nothing, and for each solve."""


@dataclass(frozen=True)
class Case:
    """One injected error and what inspection made of it.

    `right`: the first difference names the family (or the group, for a tightened bound of columns)
    that was changed; `listed`: some difference does; `shown`: and the mapped optimum breaks it.
    `families` is how many the model has. `void` counts the errors drawn before that left the same
    problem.
    """

    model: str
    error: Error
    named: bool
    injected: str
    finding: Finding
    right: bool
    listed: bool
    shown: bool
    families: int
    void: int
    seconds: float


def study(
    models: Sequence[tuple[str, Flat]], count: int, seed: int = 0, time_limit: float = 30.0
) -> Iterator[Case]:
    """`count` cases over the models in turn; kinds of errors in turn, names kept in every second.

    `time_limit` is for the mapping and the alignment of a case. An error that leaves the same
    problem (found by a mapping) is drawn again. GeneratorError where no model has a place for any.
    """
    layouts = [Layout.of(flat) for _, flat in models]
    optimum: dict[int, optima.Optimum] = {}
    kinds = list(Error)
    for index in range(count):
        draw = generator(seed, "inspection", index)
        kind, named = kinds[index // 2 % len(kinds)], index % 2 == 0
        void = 0
        for attempt in range(_TRIES):
            place = (index // 2 + attempt * 7) % len(models)
            layout = layouts[place]
            made = inject(layout, kind, draw)
            if made is None:
                continue
            deadline = time.perf_counter() + _SETTLE
            if find_mapping(layout.model, model_of(made.flat), False, deadline)[1] is None:
                break
            void += 1
        else:
            raise GeneratorError(f"no model has a place for '{kind}'; give models with families")
        if place not in optimum:
            optimum[place] = optima.solve(layout.model, _SOLVE)
        flat = made.flat if named else hidden(made.flat, seed + index)
        begin = time.perf_counter()
        found = inspect(layout.flat, flat, None, time_limit, optimum[place], _SOLVE)
        seconds = time.perf_counter() - begin
        hits = [fault for fault in found.differences if _names(made, fault)]
        yield Case(
            model=models[place][0],
            error=kind,
            named=named,
            injected=made.text,
            finding=found,
            right=hits[:1] == list(found.differences[:1]) != [],
            listed=bool(hits),
            shown=any(fault.violated for fault in hits),
            families=len(layout.rows_of),
            void=void,
            seconds=seconds,
        )


def _names(made: Injected, fault: Difference) -> bool:
    if made.group >= 0:
        return fault.group == made.group
    return fault.family == made.family


def shares(cases: Sequence[Case]) -> dict[str, tuple[int, int]]:
    """How many are right of how many: by kind of error, with names and without, and together.

    Besides: those in models of several families, and those that the mapped optimum shows.
    """
    found = {}
    for kind in (*Error, None):
        of = [case for case in cases if kind in (case.error, None)]
        for words, some in (
            ("names kept", [case for case in of if case.named]),
            ("names removed, shuffled", [case for case in of if not case.named]),
            ("all", of),
        ):
            title = f"{kind or 'all errors'}, {words}"
            found[title] = sum(case.right for case in some), len(some)
    several = [case for case in cases if case.families > 1]
    found["in models of several families"] = sum(c.right for c in several), len(several)
    found["shown by the mapped optimum"] = sum(c.right and c.shown for c in cases), len(cases)
    return found
