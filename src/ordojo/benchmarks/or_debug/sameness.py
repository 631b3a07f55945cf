"""Whether a rewritten model is still the original problem: comparison, and solutions put across."""

from dataclasses import dataclass
from typing import NamedTuple

from ordojo.benchmarks.or_debug import outcome
from ordojo.core.canonical import Json
from ordojo.milp.model import Floats, Model
from ordojo.solvers.answers import Status
from ordojo.solvers.equivalence import Verdict, compare
from ordojo.solvers.protocol import Session


class Changes(NamedTuple):
    """The elements of a model that say something else than in another one, by the other's names.

    `added`: it has names of its own. What is added may be harmless, and what is left out beside it
    may have another name now: neither is among the elements.
    """

    elements: tuple[str, ...]
    added: bool


@dataclass(frozen=True, slots=True)
class Sameness:
    """What is known of a model beside the original; see `Ending.info` for the parts of "drift".

    `unknown`: neither the comparison nor the solutions say whether it is the same problem.
    """

    verdict: Verdict
    reason: str
    drifted: bool = False
    cut_off: bool = False
    relaxed: bool = False
    unknown: bool = False
    changed: tuple[str, ...] = ()
    collateral: tuple[str, ...] = ()

    @property
    def comparison(self) -> dict[str, Json]:
        """The entry "comparison" of a turn's info."""
        return {"verdict": self.verdict.value, "reason": self.reason}

    @property
    def drift(self) -> dict[str, Json]:
        """The entry "drift" of the final state."""
        return {
            "drifted": self.drifted,
            "cut_off": self.cut_off,
            "relaxed": self.relaxed,
            "changed": list(self.changed),
            "collateral": list(self.collateral),
            "unknown": self.unknown,
        }


def changes(model: Model, base: Model) -> Changes:
    """What `model` changes in `base`; a row or column that it leaves out is changed, too."""
    new: set[str] = set()
    lost: list[str] = []
    live = [[m.row_names[i] for i in range(m.m) if m.is_live(i)] for m in (model, base)]
    for mine, old, part in ((*live, ""), (model.col_names, base.col_names, ".type")):
        extra = set(mine).difference(old)
        if not extra:
            lost += [f"{name}{part}" for name in old if name not in mine]
        new |= extra
    found = (
        name
        for name in outcome.differences(model, base)
        if name not in new and name.rpartition(".")[0] not in new
    )
    return Changes(tuple(dict.fromkeys([*found, *lost])), bool(new))


def sameness(
    model: Model,
    x: Floats,
    original: Model,
    best: Floats,
    targets: tuple[str, ...],
    session: Session,
    time_limit: float,
) -> Sameness:
    """Hold a model with its optimum `x` against the original with its optimum `best`.

    Where the comparison is undecided, the solutions decide: another problem is one that forbids
    the original optimum, has an optimum that the original forbids, or values it differently, or in
    which elements are changed that were not sabotaged. Where the solutions agree, and columns have
    other names or something was added, it is not known. `targets` are the sabotaged elements.
    """
    named = set(original.col_names) <= set(model.col_names)
    found = compare(model, original, time_limit, by_name=named)
    if found.verdict == Verdict.EQUAL:
        return Sameness(found.verdict, found.reason)
    changed, added = changes(model, original)
    collateral = tuple(name for name in changed if name not in targets)
    cut_off = relaxed = other = False
    if named:
        back = outcome.moved(x, model, original)
        relaxed = not outcome.holds_at(original, back)
        cut_off = not _allows(model, original, best, session, time_limit)
        other = not relaxed and _far(model.value_at(x), original.value_at(back), model, original)
    drifted = found.verdict == Verdict.DIFFERENT or cut_off or relaxed or other
    unknown = not drifted and (not named or added)
    return Sameness(
        found.verdict,
        found.reason,
        drifted or (bool(collateral) and not unknown),
        cut_off,
        relaxed,
        unknown,
        changed,
        collateral,
    )


def _allows(
    model: Model, original: Model, best: Floats, session: Session, time_limit: float
) -> bool:
    """Whether the model allows a point of the original, its further columns being free."""
    if len(model.col_names) == len(original.col_names):
        return outcome.holds_at(model, outcome.moved(best, original, model))
    low, up = model.effective_bounds
    held = model
    for name, value in zip(original.col_names, best.tolist(), strict=True):
        j = model.cols[name]
        slack = outcome.FEASIBLE * max(1.0, abs(value))
        # Rounding may have left the optimum a little off a bound, or off a whole number.
        if not low.item(j) - slack <= value <= up.item(j) + slack:
            return False
        near = float(round(value)) if abs(value - round(value)) <= slack else value
        inside = min(max(near, low.item(j)), up.item(j))
        held = held.with_col_bounds(j, inside, inside)
    session.load(held)
    return session.solve(time_limit).status != Status.INFEASIBLE


def _far(value: float, there: float, model: Model, original: Model) -> bool:
    if model.maximize != original.maximize:
        value = -value
    return abs(value - there) > outcome.EQUAL * max(1.0, abs(value), abs(there))
