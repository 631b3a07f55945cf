"""How far one gets on OR-Debug-Bench without reading, and what names and texts give away."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ordojo.benchmarks.or_debug.adversaries import knowers
from ordojo.benchmarks.or_debug.outcome import FULL, preservation
from ordojo.benchmarks.or_debug.published import published_scores
from ordojo.benchmarks.or_debug.schema import INSTANCES, SEVERAL, Debugging
from ordojo.benchmarks.or_debug.shortcuts import (
    STEPS,
    Walk,
    ends,
    held_out,
    shortcuts,
)
from ordojo.core.canonical import digest
from ordojo.core.hardness import Battery, HardnessFinding, Shortcut, measured
from ordojo.core.instance import Instance
from ordojo.core.progress import counted, doing
from ordojo.datasets.duplicates import twice
from ordojo.milp.model import INF
from ordojo.solvers.answers import Status
from ordojo.solvers.highs import HighsSession

Instances = Sequence[Instance[Debugging]]
End = tuple[float, float]
"""Full success, and OPTIMAL: each 1 or 0."""

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

KNOWS: Mapping[str, str] = {
    "knows-digits": "a number of the text that the model lacks is the right one",
    "knows-undo": "what the injectors do can be undone where it shows",
    "knows-patterns": "a row is like the others of its model where it is right",
    "knows-filters": "only what is true would have passed the validation",
    "knows-ranges": "a figure near the middle of the range that it was drawn from is near it",
    "knows-strings": "which names stand in which sentence tells a row's sense",
    "knows-phrases": "limits and lots can be read by the telling's own forms",
    "knows-facts": "so can tables, and the row that one nearly explains is wrong",
    "knows-rules": "so can all that is told of rules, form by form",
}
"""What those live on who have the generator's source."""

OTHER = "a policy of the anti-shortcut certificate"


def battery(instances: Instances, seen: Instances) -> Battery:
    """The anti-shortcut policies and guessers under RR@5, and what names and texts give away.

    "optimal" is the looser RR@5 of the published code: OPTIMAL, whatever the objective.
    """
    problems = [instance.problem for instance in instances]
    known = [
        _measured(instances, name, KNOWS[name], [(score, 1.0) for score in policy.scores(problems)])
        for name, policy in counted(knowers().items(), "playing those who know the generator")
    ]
    if any(problem.is_silent for problem in problems):
        return Battery("RR@5", tuple(known))
    walks = [Walk(problem) for problem in counted(problems, "reading problems")]
    session = HighsSession()
    found = [
        _measured(
            instances, f"{name}, own IIS", says, [own_iis(p, pick, session) for p in problems]
        )
        for name, (says, pick) in counted(ROWS.items(), "measuring rows")
    ]
    reached = {
        name: ends(policy, walks)
        for name, policy in counted(shortcuts().items(), "playing shortcuts")
    }
    doing("fitting guessers")
    learnt = [Walk(instance.problem) for instance in seen]
    guessed = held_out(walks, [instance.cluster for instance in instances], learnt)
    for name, states in {**reached, **guessed}.items():
        ended = [(float(state.full), float(state.optimal)) for state in states]
        says = EXPLOITS.get(name, OTHER)
        found.append(_measured(instances, name, says, ended, name in guessed))
    session.close()
    # The paper's own 450 are not public: the authors' other sets stand for them as ours does.
    split = problems[0].split if problems else ""
    quoted = tuple(published_scores())
    if split.startswith("authors/"):
        quoted = tuple(replace(row, dataset=f"or-debug@v{INSTANCES}/{split}") for row in quoted)
    return Battery("RR@5", (*found, *known), _findings(walks), quoted)


def _measured(
    instances: Instances, name: str, exploits: str, reached: Sequence[End], fitted: bool = False
) -> Shortcut:
    full, optimal = [end[0] for end in reached], [end[1] for end in reached]
    return measured(name, exploits, instances, full, fitted=fitted, optimal=optimal)


def own_iis(problem: Debugging, pick: Callable[[Sequence[str]], str], session: HighsSession) -> End:
    """What dropping picked rows of HiGHS's own IIS comes to, the recorded IIS left aside."""
    model = problem.model
    session.load(model)
    for _ in range(STEPS):
        if session.solve().status != Status.INFEASIBLE:
            break
        if not (rows := session.iis().row_names(model)):
            break
        session.set_row_bounds(model.rows[pick(rows)], -INF, INF)
    found = session.solve()
    if found.status != Status.OPTIMAL or found.objective is None:
        return 0.0, 0.0
    return float(preservation(found.objective, problem.objective) > FULL), 1.0


ROWS: Mapping[str, tuple[str, Callable[[Sequence[str]], str]]] = {
    "drop first": ("the first row of the IIS is not needed", lambda rows: rows[0]),
    "drop last": ("the last row of the IIS is not needed", lambda rows: rows[-1]),
    "drop inserted": (
        "the last row whose name begins with _, as of published injectors; else the first row",
        lambda rows: next((name for name in reversed(rows) if name.startswith("_")), rows[0]),
    ),
}
"""Rows alone, of an IIS that HiGHS finds: nothing that is recorded or shown is needed."""


def _findings(walks: Sequence[Walk]) -> tuple[HardnessFinding, ...]:
    problems = [walk.problem for walk in walks]
    count = len(problems)
    told = sum(
        any(re.search(said, p.text, re.IGNORECASE) for said in _phrases(p)) for p in problems
    )
    roles = sum(any(map(ROLES.search, (*p.iis_rows, *p.targets))) for p in problems)
    alone = sum(len(p.iis_rows) == 1 for p in problems)
    doubles = count - len({digest(p.sabotaged) for p in problems})
    role = "a row of the IIS, or what was sabotaged, is called after what it does in the error"
    found = [
        HardnessFinding(what, hits, count, says)
        for what, hits, says in (
            ("text names the type", told, "the description says what kind of error it is"),
            ("names carry a role", roles, role),
            ("one-row IIS", alone, "the IIS has one row: there is no row to choose"),
            ("models twice", doubles, "the same model as an earlier one"),
        )
    ]
    found.append(twice("texts twice", [p.text for p in problems]))
    for kind in ("E", "G"):
        several = [w for w in walks if w.problem.type == kind and len(w.problem.targets) > 1]
        if several:
            enough = sum(any(_restores(w, t) for t in w.problem.targets) for w in several)
            says = "several elements are at fault; the loss of one alone gives OPTIMAL"
            found.append(
                HardnessFinding(f"one repair is enough, type {kind}", enough, len(several), says)
            )
    if chosen := [w for w in walks if w.problem.type == "I"]:
        rivals = ((w, [n for n in w.state(()).iis if n not in w.problem.targets]) for w in chosen)
        alone = sum(not any(_restores(w, name) for name in names) for w, names in rivals)
        says = "a choice of repairs is promised; no other element of the IIS restores feasibility"
        found.append(HardnessFinding("no choice, type I", alone, len(chosen), says))
    return tuple(found)


def _phrases(problem: Debugging) -> list[str]:
    kinds = problem.method.split("+") if problem.type == SEVERAL else problem.type
    return [PHRASES[kind] for kind in kinds if kind in PHRASES]


def _restores(walk: Walk, name: str) -> bool:
    """Whether the loss of an element alone gives OPTIMAL."""
    action = walk.move((), name, relax=False)
    return action is not None and walk.state((str(action),)).optimal
