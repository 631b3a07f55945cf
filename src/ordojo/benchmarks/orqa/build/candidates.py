"""What could be asked of a case: for each question type, right claims and the wrong ones beside."""

from collections.abc import Iterator, Sequence

from ordojo.benchmarks.orqa.build.categories import CATEGORIES
from ordojo.benchmarks.orqa.build.claims import goals
from ordojo.benchmarks.orqa.build.context import counting
from ordojo.benchmarks.orqa.build.lists import Candidate, combined, lists
from ordojo.benchmarks.orqa.build.recipe import Case
from ordojo.benchmarks.orqa.build.stories import get_story
from ordojo.benchmarks.orqa.build.variants import CASES, FLOW, LINEAR, PLANNING
from ordojo.templates.algebra import index_sets, uses
from ordojo.templates.base import Rng

ENOUGH = 3
"""False items that need no help from data outside the model."""
FEWEST = 5
"""Wrong scopes to choose from at least."""
SHARE_OF_NONE = 0.1
"""How often "none of the given figures" is among the wrong options, where it is wrong."""


def candidates(case: Case, kind: str, rng: Rng) -> list[Candidate]:
    """All that the type can be asked with, by what the declaration says."""
    return list(_MAKERS[kind](case, rng))


def _goals(case: Case, rng: Rng) -> Iterator[Candidate]:
    wrong = tuple(("goal", k) for k in range(len(goals(case))))
    for true in (-1, -2, -3):
        yield Candidate("", ("goal", true), wrong)


def _contents(case: Case, rng: Rng) -> Iterator[Candidate]:
    for family, rule in case.story.rules.items():
        wrong = tuple(("rule", family, k) for k in range(len(rule.false)))
        if len(wrong) >= 3:
            yield from (Candidate(family, ("rule", family, true), wrong) for true in (-1, -2))


def _required(case: Case, rng: Rng) -> Iterator[Candidate]:
    wrong = tuple(
        ("rule", family, k)
        for family, rule in case.story.rules.items()
        for k in range(len(rule.false))
    )
    for family in case.story.rules:
        yield from (Candidate("", ("rule", family, true), wrong) for true in (-1, -2))


def _categories(case: Case, rng: Rng) -> Iterator[Candidate]:
    fitting = [name for name, need in CATEGORIES.items() if not need(case.spec)]
    weights = [_frequency()[name] for name in fitting]
    # As often wrong as right elsewhere, so that no category is a good guess by itself.
    share = [weight / sum(weights) for weight in weights]
    for _ in range(8):
        chosen = rng.choice(len(fitting), 5, replace=False, p=share)
        wrong = tuple(("category", fitting[i]) for i in chosen)
        yield Candidate("", ("category", case.story.category), wrong)


def _frequency() -> dict[str, float]:
    found = dict.fromkeys(CATEGORIES, 0.0)
    for kind, names in CASES.items():
        for name in names:
            category = get_story(name).category
            if kind == LINEAR:
                category = {"network_design": FLOW, "lot_sizing": PLANNING}.get(name, category)
            found[category] += 1 / len(names)
    return found


def _types(case: Case, rng: Rng) -> Iterator[Candidate]:
    wrong = tuple(("type", kind) for kind in CASES if kind != case.kind)
    yield Candidate("", ("type", case.kind), wrong)


def _sets(case: Case, rng: Rng) -> Iterator[Candidate]:
    true = [f"set:{item.name}" for item in case.spec.sets if not item.parts]
    given = [f"parameter:{p.name}" for p in case.spec.parameters if p.unit]
    yield from lists(case, "Q5", true, [*given, *_aside(case)])


def _decisions(case: Case, rng: Rng) -> Iterator[Candidate]:
    true = [f"group:{group.name}" for group in case.spec.groups]
    yield from lists(case, "Q6", true, _false(case, _given(case)))


def _objective_data(case: Case, rng: Rng) -> Iterator[Candidate]:
    used = uses(case.spec, case.spec.objective.rule).parameters
    true = [name for name in _given(case) if name.partition(":")[2] in used]
    false = [name for name in _given(case) if name not in true]
    none = ("items", ("none:",))
    if not true:
        mixed = combined(_false(case, false), 2)
        yield Candidate("", none, tuple(("items", names) for names in mixed))
        return
    forced = (none,) if rng.random() < SHARE_OF_NONE else ()
    for one in lists(case, "Q8", true, _false(case, false)):
        yield Candidate("", one.right, (*forced, *one.wrong))


def _objective_decisions(case: Case, rng: Rng) -> Iterator[Candidate]:
    used = uses(case.spec, case.spec.objective.rule).groups
    true = [f"group:{name}" for name in used]
    other = [f"group:{g.name}" for g in case.spec.groups if g.name not in used]
    yield from lists(case, "Q9", true, _false(case, [*other, *_given(case)]))


def _left_sides(case: Case, rng: Rng) -> Iterator[Candidate]:
    for place, left in enumerate(case.story.lefts):
        if left.family in case.story.rules:
            wrong = tuple(("left", k) for k in range(len(case.story.lefts)) if k != place)
            yield Candidate(left.family, ("left", place), wrong)


def _scopes(case: Case, rng: Rng) -> Iterator[Candidate]:
    extras = [f"extra:{k}" for k in range(len(case.story.extras))]
    for family in case.story.rules:
        true = index_sets(case.spec.family(family).scope)
        base = [s.name for s in case.spec.sets if not s.parts or s.name in true]
        told = [(), *_scopes_told(case)]
        more = [c for c in combined([*base, *extras], 2) if sum(map(_imagined, c)) < 2]
        wrong = [c for c in dict.fromkeys(told) if sorted(c) != sorted(true)]
        # What the context does not say is ruled out too easily: only where nothing else is left.
        spare = [c for c in more if sorted(c) != sorted(true) and c not in wrong]
        short = max(0, FEWEST - len(wrong))
        wrong += [spare[i] for i in rng.permutation(len(spare))[:short]]
        yield Candidate(family, ("scope", family), tuple(("scope", names) for names in wrong))


def _scopes_told(case: Case) -> list[tuple[str, ...]]:
    """The scopes of all constraints, decisions and figures."""
    scopes = [family.scope for family in case.spec.families]
    scopes += [group.scope for group in case.spec.groups]
    return [*map(index_sets, scopes), *(p.over for p in case.spec.parameters)]


def _imagined(name: str) -> bool:
    return name.startswith("extra:")


def _given(case: Case) -> list[str]:
    sizes = counting(case)
    return [f"parameter:{p.name}" for p in case.spec.parameters if p.name not in sizes]


def _aside(case: Case, extras: bool = True) -> list[str]:
    sides = [f"side:{k}" for k in range(len(case.story.sides))]
    return sides + ([f"extra:{k}" for k in range(len(case.story.extras))] if extras else [])


def _false(case: Case, names: Sequence[str]) -> list[str]:
    """False items, with data that are no part of the model only where others are few."""
    return [*names, *(_aside(case, extras=False) if len(names) < ENOUGH else ())]


_MAKERS = {
    "Q1": _goals,
    "Q2": _contents,
    "Q3": _categories,
    "Q4": _types,
    "Q5": _sets,
    "Q6": _decisions,
    "Q7": _required,
    "Q8": _objective_data,
    "Q9": _objective_decisions,
    "Q10": _left_sides,
    "Q11": _scopes,
}
