"""What could be asked of a case: for each question type, right claims and the wrong ones beside."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from ordojo.benchmarks.orqa.build.balance import Candidate, combined, lists
from ordojo.benchmarks.orqa.build.claims import goals
from ordojo.benchmarks.orqa.build.context import counting
from ordojo.benchmarks.orqa.build.recipe import Case
from ordojo.benchmarks.orqa.build.stories import get_story
from ordojo.benchmarks.orqa.build.variants import CASES, FLOW, LINEAR, PLANNING
from ordojo.problems.algebra import index_sets, uses
from ordojo.problems.base import Rng
from ordojo.problems.spec import Spec
from ordojo.structure.labels.vocabulary import Scaffold, Semantic

Need = Callable[[Spec], bool]


def _labels(spec: Spec) -> set[tuple[Semantic, Scaffold]]:
    return {(family.semantic, family.scaffold) for family in spec.families}


def _semantics(spec: Spec) -> set[Semantic]:
    return {family.semantic for family in spec.families}


def _binary(spec: Spec) -> int:
    return sum(group.domain == "binary" for group in spec.groups)


def _only_binary(spec: Spec) -> bool:
    return _binary(spec) == len(spec.groups)


def _has(semantic: Semantic, scaffold: Scaffold) -> Need:
    return lambda spec: (semantic, scaffold) in _labels(spec)


def _bin_packing(spec: Spec) -> bool:
    """Each item in exactly one bin, bins with a capacity if used, and bins alone are counted."""
    counted = not uses(spec, spec.objective.rule).parameters
    return counted and {Semantic.EXACTLY_ONE, Semantic.INDICATOR} <= _semantics(spec)


def _blending(spec: Spec) -> bool:
    """Shares of a whole with a floor and a ceiling."""
    return {Semantic.LOWER_PROPORTION, Semantic.UPPER_PROPORTION} <= _semantics(spec)


def _set_packing(spec: Spec) -> bool:
    """Conflict groups as subsets, cover by subsets, a maximal weight."""
    needed = {
        (Semantic.AT_MOST_ONE, Scaffold.SUBSET),
        (Semantic.AT_LEAST_ONE, Scaffold.SUBSET),
    }
    return spec.objective.sense == "maximize" and needed <= _labels(spec)


def _cutting(spec: Spec) -> bool:
    """Demands met by weighted sums over one group of pattern counts."""
    return (
        len(spec.groups) == 1
        and not _binary(spec)
        and (Semantic.LOWER_WEIGHTED_SUM in _semantics(spec))
    )


def _location(spec: Spec) -> bool:
    """Sites that serve only if opened, and every customer with one site."""
    return _only_binary(spec) and {Semantic.IMPLICATION, Semantic.EXACTLY_ONE} <= _semantics(spec)


def _assignment(spec: Spec) -> bool:
    """One group of pairs, one agent a job, a weighted capacity for each agent."""
    needed = {
        (Semantic.EXACTLY_ONE, Scaffold.SINGLE_LOOP),
        (Semantic.UPPER_WEIGHTED_SUM, Scaffold.SINGLE_LOOP),
    }
    return _only_binary(spec) and needed <= _labels(spec)


def _lot_sizing(spec: Spec) -> bool:
    """A balance over periods and setups that allow production."""
    return _balance(spec) and Semantic.IMPLICATION in _semantics(spec)


def _balance(spec: Spec) -> bool:
    return (Semantic.EQUALITY, Scaffold.COUPLED) in _labels(spec)


def _flow(spec: Spec) -> bool:
    return (Semantic.EQUALITY, Scaffold.REPLICATED) in _labels(spec)


def _design(spec: Spec) -> bool:
    """Flow conservation and yes-or-no arcs."""
    return _flow(spec) and _binary(spec) > 0


def _budget(spec: Spec) -> bool:
    """Yes-or-no items of maximal value under overall weighted limits."""
    return (
        _only_binary(spec)
        and spec.objective.sense == "maximize"
        and (Semantic.UPPER_WEIGHTED_SUM, Scaffold.GLOBAL) in _labels(spec)
    )


def _stochastic(spec: Spec) -> bool:
    """Costs weighted by the probabilities of scenarios."""
    return "probability" in uses(spec, spec.objective.rule).parameters


def _covering(spec: Spec) -> bool:
    """Elements covered by subsets at least cost."""
    return spec.objective.sense == "minimize" and (
        (Semantic.AT_LEAST_ONE, Scaffold.SUBSET) in _labels(spec)
    )


CATEGORIES: Mapping[str, Need] = {
    "Bin packing with incompatible items": _bin_packing,
    "Blending with shares of ingredients": _blending,
    "Weighted set packing with required coverage": _set_packing,
    "Cutting stock with given patterns": _cutting,
    "Cyclic staff rostering": lambda spec: any(
        family.scaffold == Scaffold.CYCLIC for family in spec.families
    ),
    "Disjunctive scheduling on shared machines": _has(Semantic.INDICATOR, Scaffold.PAIRWISE),
    "Capacitated facility location": _location,
    "Generalized assignment": _assignment,
    "Multi-mode project scheduling under scarce resources": _has(
        Semantic.UPPER_WEIGHTED_SUM, Scaffold.WINDOW
    ),
    "Capacitated lot sizing": _lot_sizing,
    "Multicommodity network design": _design,
    FLOW: _flow,
    PLANNING: _balance,
    "Capital budgeting (knapsack)": _budget,
    "Two-stage stochastic transport planning": _stochastic,
    "Set covering with backup": _covering,
}
"""Necessary conditions by category: a model that fails one is provably of another category."""


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
