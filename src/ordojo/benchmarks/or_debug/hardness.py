"""How far one gets on OR-Debug-Bench without reading, and what names and texts give away."""

import re
from collections.abc import Callable, Mapping, Sequence

from ordojo.benchmarks.or_debug.published import published_scores
from ordojo.benchmarks.or_debug.schema import Debugging
from ordojo.benchmarks.or_debug.shortcuts import STEPS, State, Walk, ends, guessers, shortcuts
from ordojo.core.canonical import digest
from ordojo.core.guessers import folds
from ordojo.core.hardness import Battery, Finding, Shortcut, measured
from ordojo.core.instance import Instance
from ordojo.datasets.duplicates import repeats

Instances = Sequence[Instance[Debugging]]

PHRASES: Mapping[str, str] = {
    "A": "direction error|direction flip",
    "B": "variable type",
    "C": "logic error|coefficient modification",
    "D": "conflicting constraint|contradicting constraint",
    "E": "multi-constraint",
    "F": "hidden dependency",
    "G": "cascading conflict",
    "H": "iis-incomplete",
    "I": "optimal selection",
}
"""How a description says which type of error it has."""

ROLES = re.compile(
    r"(?:^|_)(cascade|chain|conflict|constr|cycle|force|hidden|key|link|multi|opt|optimal|root"
    r"|saboteur|symptom)(?:_|$)",
    re.IGNORECASE,
)
"""Words of a name that say what the row does in the error."""

ADDED = re.compile(r"_|c_key_")
"""How the published sets begin the names of what an injector added."""

EXPLOITS: Mapping[str, str] = {
    "drop-first": "the first element of the IIS is not needed",
    "drop-last": "the last element of the IIS is not needed",
    "drop-named": "what was added has names of its own",
    "relax-first": "the first element of the IIS, moved by the least that is enough",
    "relax-last": "the last element of the IIS, moved by the least that is enough",
    "relax-named": "what was added has names of its own, and the least move is the right one",
    "relax-elastic": "the smallest moves of all sides are the right ones",
    "best-feature": "one number tells the element: its side, place, size, name",
    "tree": "a few numbers tell the element: sides, places, sizes, names",
}


def battery(instances: Instances, seen: Instances) -> Battery:
    """The anti-shortcut policies and guessers under RR@5, and what names and texts give away.

    "optimal" is the looser RR@5 of the published code: OPTIMAL, whatever the objective.
    """
    walks = [Walk(instance.problem) for instance in instances]
    found = [
        _measured(instances, f"{name}, rows only", says, [rows_only(walk, pick) for walk in walks])
        for name, (says, pick) in ROWS.items()
    ]
    found += [
        _measured(instances, name, EXPLOITS[name], ends(policy, walks))
        for name, policy in shortcuts().items()
    ]
    for name, reached in _guessed(instances, walks, [Walk(i.problem) for i in seen]).items():
        found.append(_measured(instances, name, EXPLOITS[name], reached, fitted=True))
    return Battery("RR@5", tuple(found), _findings(walks), tuple(published_scores()))


def _measured(
    instances: Instances, name: str, exploits: str, reached: Sequence[State], fitted: bool = False
) -> Shortcut:
    return measured(
        name,
        exploits,
        instances,
        [float(state.full) for state in reached],
        fitted=fitted,
        optimal=[float(state.optimal) for state in reached],
    )


def _guessed(
    instances: Instances, walks: Sequence[Walk], seen: Sequence[Walk]
) -> dict[str, list[State]]:
    """Where each guesser leaves each instance, fitted to `seen`, or to the other parts."""
    parts = folds([instance.cluster for instance in instances])
    found: dict[str, list[State]] = {}
    for held in [list(range(len(walks)))] if seen else parts:
        away = set(held)
        learnt = seen or [walk for i, walk in enumerate(walks) if i not in away]
        for name, policy in guessers(learnt).items() if learnt else ():
            reached = ends(policy, [walks[i] for i in held])
            states = found.setdefault(name, [walk.state(()) for walk in walks])
            for i, state in zip(held, reached, strict=True):
                states[i] = state
    return found


def rows_only(walk: Walk, pick: Callable[[Sequence[str]], str]) -> State:
    """The state after five drops of a row of the IIS that is picked by its name or place."""
    path: tuple[str, ...] = ()
    while (rows := _rows(walk.state(path))) and len(path) < STEPS:
        path = (*path, f"DROP({pick(rows)})")
    return walk.state(path)


def _rows(state: State) -> list[str]:
    return [name for name in state.iis if name in state.model.rows]


def _added(rows: Sequence[str]) -> str:
    return next((name for name in rows if ADDED.match(name)), rows[0])


ROWS: Mapping[str, tuple[str, Callable[[Sequence[str]], str]]] = {
    "drop first": ("the first row of the IIS is not needed", lambda rows: rows[0]),
    "drop last": ("the last row of the IIS is not needed", lambda rows: rows[-1]),
    "drop inserted": ("inserted rows begin with _ or c_key_; else the first row", _added),
}
"""What is known of the published sets, and of one's own: rows alone, dropped one after another."""


def _findings(walks: Sequence[Walk]) -> tuple[Finding, ...]:
    problems = [walk.problem for walk in walks]
    count = len(problems)
    told = sum(bool(re.search(PHRASES[p.type], p.text, re.IGNORECASE)) for p in problems)
    found = [
        Finding(
            "text names the type", told, count, "the description says what kind of error it is"
        ),
        Finding(
            "names carry a role",
            sum(any(map(ROLES.search, (*p.iis_rows, *p.targets))) for p in problems),
            count,
            "a row of the IIS, or what was sabotaged, is called after what it does in the error",
        ),
        Finding(
            "one-row IIS",
            sum(len(p.iis_rows) == 1 for p in problems),
            count,
            "the IIS has one row: there is no row to choose",
        ),
        Finding(
            "models twice",
            count - len({digest(p.sabotaged) for p in problems}),
            count,
            "the same model as an earlier one",
        ),
        Finding(
            "texts twice",
            repeats([p.text for p in problems]),
            count,
            "nearly the words of an earlier one",
        ),
    ]
    for kind in ("E", "G"):
        several = [w for w in walks if w.problem.type == kind and len(w.problem.targets) > 1]
        if several:
            enough = sum(any(_restores(w, t) for t in w.problem.targets) for w in several)
            says = "several elements are at fault; the loss of one alone gives OPTIMAL"
            found.append(Finding(f"one repair is enough, type {kind}", enough, len(several), says))
    if chosen := [w for w in walks if w.problem.type == "I"]:
        alone = sum(not any(_restores(w, name) for name in _rivals(w)) for w in chosen)
        says = "a choice of repairs is promised; no other element of the IIS restores feasibility"
        found.append(Finding("no choice, type I", alone, len(chosen), says))
    return tuple(found)


def _rivals(walk: Walk) -> list[str]:
    return [name for name in walk.state(()).iis if name not in walk.problem.targets]


def _restores(walk: Walk, name: str) -> bool:
    """Whether the loss of an element alone gives OPTIMAL."""
    action = walk.move((), name, relax=False)
    return action is not None and walk.state((str(action),)).optimal
