"""Numbers unlike those of their family, and what the model says with each as its family suggests.

A family: the rows, or columns, whose names differ in digits and brackets alone, of one relation, or
type, and for a coefficient of one family of columns. A doubted number stands far from the family's
median, alone: it may be a slip of a unit or a sign.
"""

import dataclasses
import math
import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

import numpy as np

from ordojo.core.errors import UsageError
from ordojo.core.progress import counting
from ordojo.core.words import amount
from ordojo.milp.algebra import number
from ordojo.milp.model import Floats, Model
from ordojo.milp.tolerances import SAME
from ordojo.solvers.answers import Status
from ordojo.solvers.asked.edits import closest
from ordojo.solvers.asked.solves import Outcome, Solves, gained, notes_of, short
from ordojo.solvers.conflicts import shown
from ordojo.solvers.problem import Problem

LEAST = 5
"""Numbers of a family: of fewer no one is the odd one out."""
FAR = 6.0
"""Times that a number is at least larger or smaller than the median: 7 days, a dozen, factors of a
unit (10, 60, 100, 1000) are beyond, and usual differences of sizes below."""
ALONE = 3.0
"""Times that the nearest other number of the family is away: what has company is no slip."""
SPREADS = 5.0
"""Deviations (scaled medians, of logarithms) beyond which a family's own spread does not reach."""
UNITS = (10.0, 60.0, 100.0, 1000.0, 3600.0)
"""Factors by which units are mistaken."""
_KEYS = re.compile(r"\[.*\]|\(.*\)|\d+")


@dataclass(frozen=True)
class Suspect:
    """A number unlike its family's, and the model solved with the one that the family suggests.

    `target` names it: a row for its side, else `x.ub`, `x.lb`, `obj.x`, `need[x]`; `why` says what
    is odd. `outcome` is None where no time or solve was left; `gain` is by how much the optimum is
    better with `suggested`, None where one of the two is not proved.
    """

    target: str
    family: str
    value: float
    suggested: float
    why: str
    strength: float
    outcome: Outcome | None = None
    gain: float | None = None

    def text(self) -> str:
        """The suspect in two lines."""
        then = "not solved: no time or solve was left"
        if self.outcome is not None:
            then = self.outcome.text()
            if self.gain is not None:
                then += f", {gained(self.gain, 'as before')}"
        return (
            f"  {self.target} = {short(self.value)}: {self.why}\n"
            f"    with {short(self.suggested)}: {then}"
        )


@dataclass(frozen=True)
class Suspects:
    """A model's suspects, those first whose undo matters most; `more` were found and not solved.

    `compared` says whether a family had numbers enough to tell an odd one out.
    """

    model: str
    solver: str
    base: Outcome
    found: tuple[Suspect, ...]
    more: int = 0
    notes: tuple[str, ...] = ()
    compared: bool = True

    def to_json(self) -> dict[str, Any]:
        """Everything as plain JSON."""
        return {
            "model": self.model,
            "solver": self.solver,
            "base": self.base.to_json(),
            "suspects": [
                {
                    **{f.name: getattr(one, f.name) for f in dataclasses.fields(one)},
                    "outcome": one.outcome and one.outcome.to_json(),
                }
                for one in self.found
            ],
            "more": self.more,
            "compared": self.compared,
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        return self.text()

    def text(self) -> str:
        """The suspects for a reader."""
        lines = [f"{self.model} ({self.solver}), as it is: {self.base.text()}."]
        if not self.compared:
            lines.append(f"No family has {LEAST} numbers other than 0, so nothing is compared.")
        elif not self.found:
            lines.append("No number is unlike its family's.")
        else:
            whose = "its" if len(self.found) == 1 else "their"
            lines.append(f"{amount(len(self.found), 'number')} unlike {whose} family's:")
            lines += shown([one.text() for one in self.found])
        if self.more:
            lines.append(
                f"Not shown: {amount(self.more, 'weaker one')}; a larger limit shows more."
            )
        return "\n".join([*lines, *self.notes])


def suspects_of(problem: Problem, limit: int, family: str | None, solves: Solves) -> Suspects:
    """The `limit` strongest suspects, each one's undo solved, in the time that there is.

    `family` (`*` and `?` match) takes those of one family alone; UsageError where there is none.
    """
    model = problem.model
    known = by_family(model)
    labels = {label for label, _ in known}
    asked = {one for one in labels if not family or fnmatchcase(one, family) or one == family}
    if family and not asked:
        raise UsageError(f"there is no family '{family}'{closest(family, sorted(labels))}")
    known = {key: members for key, members in known.items() if key[0] in asked}
    odd = doubted(known)
    base = solves.solve(problem, f"solving {model.size}", 0.4)
    found: list[Suspect] = []
    with counting("undoing suspects", min(limit, len(odd))) as count:
        for k, (one, place) in enumerate(odd[:limit]):
            found.append(_undone(problem, one, place, base, 1 / (min(limit, len(odd)) - k), solves))
            count.step()
    found.sort(key=lambda one: _matters(one, base))
    return Suspects(
        model.name or "the model",
        solves.version,
        base,
        tuple(found),
        max(len(odd) - limit, 0),
        notes_of(problem, solves.solver, base),
        any(len(live(given)) >= LEAST for _, given, _ in known.values()),
    )


Place = tuple[str, int]
"""An array of the model, and the place in it, of a number."""
Members = tuple[list[str], list[float], list[Place]]


def doubted(known: Mapping[tuple[str, str], Members]) -> list[tuple[Suspect, Place]]:
    """The numbers that stand alone in their family, the strongest first."""
    found = [one for (label, _), members in known.items() for one in _odd_ones(label, members)]
    return sorted(found, key=lambda one: (-one[0].strength, one[0].target))


def by_family(model: Model) -> dict[tuple[str, str], Members]:
    """Names, numbers and places by family and kind of number."""
    groups: dict[tuple[str, str], Members] = defaultdict(lambda: ([], [], []))

    def put(label: str, kind: str, target: str, value: float, place: Place) -> None:
        names, values, places = groups[label, kind]
        names.append(target)
        values.append(value)
        places.append(place)

    cols = [_KEYS.sub("*", name) for name in model.col_names]
    rows = [_KEYS.sub("*", name) for name in model.row_names]
    low, up = model.row_lower, model.row_upper
    sense = np.where(low == up, "=", np.where(np.isinf(low), "<", np.where(np.isinf(up), ">", "-")))
    of_row: list[list[int]] = [[] for _ in rows]
    for k, i in enumerate(model.entry_rows.tolist()):
        of_row[i].append(k)
    for i, label in enumerate(rows):
        shape = " ".join(sorted({cols[model.index[k]] for k in of_row[i]}))
        for k in of_row[i]:
            j = int(model.index[k])
            kind = f"coefficient {sense[i]} {shape} of {cols[j]}"
            target = f"{model.row_names[i]}[{model.col_names[j]}]"
            put(label, kind, target, model.value.item(k), ("value", k))
        for array, ends in (("row_upper", up), ("row_lower", low)):
            if sense[i] == "=" and array == "row_lower":
                continue  # one number: the undo moves both
            put(label, f"{array} {sense[i]} {shape}", model.row_names[i], ends.item(i), (array, i))
    for j, (label, kind) in enumerate(zip(cols, model.types.tolist(), strict=True)):
        name = model.col_names[j]
        put(label, f"cost {kind}", f"obj.{name}", model.objective.item(j), ("objective", j))
        least, most = model.bounds(j)
        put(label, f"col_upper {kind}", f"{name}.ub", most, ("col_upper", j))
        if least != most:
            put(label, f"col_lower {kind}", f"{name}.lb", least, ("col_lower", j))
    return groups


def live(given: list[float]) -> list[int]:
    """The places of a family's numbers that are compared: finite, and not 0."""
    return [k for k, value in enumerate(given) if math.isfinite(value) and value]


def _odd_ones(label: str, members: Members) -> list[tuple[Suspect, Place]]:
    """The numbers of a family that stand alone, by size or by sign."""
    names, given, places = members
    values, known = np.array(given), live(given)
    if len(known) < LEAST:
        return []
    found = []
    logs, negative = np.log(np.abs(values[known])), values[known] < 0
    middle = float(np.log(np.median(np.abs(values[known]))))
    spread = 1.4826 * float(np.median(np.abs(logs - middle)))
    median = number(float(f"{np.exp(middle):.6g}"))
    far = max(np.log(FAR), SPREADS * spread)
    for way in (1.0, -1.0):
        for at in _apart(way * (logs - middle), far):
            off = float(logs[at] - middle)
            k, rest = known[at], np.delete(logs, at)
            value = float(values[k])
            suggested, unit = _usual(value, off, middle, float(rest.min()), float(rest.max()))
            times = float(f"{np.exp(abs(off)):.3g}")
            why = (
                f"{number(times)} times {'more' if off > 0 else 'less'} than the median of {label}"
            )
            why += f" ({median}, {len(known)} numbers)"
            why += f"; a factor of {unit:g} fits" if unit else ""
            found.append((Suspect(names[k], label, value, suggested, why, abs(off)), places[k]))
    odd = np.flatnonzero(negative if negative.sum() == 1 else ~negative)
    if len(odd) == 1:
        k = known[odd[0]]
        why = f"its sign is unlike those of all {len(known) - 1} others of {label}"
        # As strong as a factor of 100: a sign is seldom a matter of degree.
        one = Suspect(names[k], label, float(values[k]), -float(values[k]), why, float(np.log(100)))
        found.append((one, places[k]))
    return found


def _apart(offs: Floats, far: float) -> list[int]:
    """The places of the largest, a tenth of all at most, that are far and have a gap below them."""
    order: list[int] = np.argsort(-offs, kind="stable").tolist()
    most = max(1, len(order) // 10)
    cuts = [
        k
        for k in range(1, most + 1)
        if offs[order[k - 1]] >= far and offs[order[k - 1]] - offs[order[k]] >= np.log(ALONE)
    ]
    return order[: max(cuts, default=0)]


def _usual(value: float, off: float, middle: float, low: float, high: float) -> tuple[float, float]:
    """What the family suggests in place of a number, and the unit's factor that it takes, or 0.

    The factor that brings it among the others, nearest to the median; without one the median.
    """
    sign = -1.0 if value < 0 else 1.0
    log = float(np.log(abs(value)))
    best, factor = None, 0.0
    for unit in UNITS:
        new = log - np.sign(off) * np.log(unit)
        inside = low - SAME <= new <= high + SAME
        if inside and (best is None or abs(new - middle) < abs(best - middle)):
            best, factor = float(new), unit
    if best is None:
        return sign * float(f"{np.exp(middle):.12g}"), 0.0
    return value / factor if off > 0 else value * factor, factor


def _undone(
    problem: Problem, one: Suspect, place: Place, base: Outcome, share: float, solves: Solves
) -> Suspect:
    """The suspect with the model solved where it is as its family suggests."""
    model = problem.model
    array, k = place
    arrays = {array: getattr(model, array).copy()}
    arrays[array][k] = one.suggested
    lower = array.replace("upper", "lower")
    if lower != array and getattr(model, lower)[k] == one.value:
        arrays[lower] = getattr(model, lower).copy()
        arrays[lower][k] = one.suggested
    changed = dataclasses.replace(problem, model=dataclasses.replace(model, **arrays), start=None)
    if solves.clock.left <= 0:
        return one
    then = solves.solve(changed, f"undoing {one.target}", share)
    return dataclasses.replace(one, outcome=then, gain=then.gain_over(base, model.maximize))


def _matters(one: Suspect, base: Outcome) -> tuple[int, float, float, str]:
    """Another status first, then by the change of the optimum, then by strength."""
    if one.outcome is None or one.outcome.status == Status.TIME_LIMIT:
        rank = 2
    else:
        rank = 0 if one.outcome.status != base.status else 1
    return rank, -abs(one.gain or 0.0), -one.strength, one.target
