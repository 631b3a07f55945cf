"""What could be asked of a case: for each question type, right claims and the wrong ones beside."""

import ast
from collections.abc import Iterator
from dataclasses import replace

from ordojo.benchmarks.orqa.build.balance import PLACES, Candidate, combined, lists
from ordojo.benchmarks.orqa.build.case import KINDS, Case, Plan, frequency, senses_of, told
from ordojo.formulation.algebra import index_sets, indices, uses
from ordojo.formulation.spec import Spec
from ordojo.problems.base import Rng

SHARE_OF_NONE = 0.9
"""How often "none of the given figures" may be among the wrong options: so that it is shown about
three times as often as it is right, and right in a quarter of the questions that show it."""


def fits(spec: Spec, category: str) -> bool:
    """Whether a model has all that the models of a category (a template's title) have in common.

    Those are the shapes of the decisions, the sense of the objective, and each family that is in
    all of them, by its scaffold and, where it has one sense only, by its semantic type.
    """
    template = {one.title: one for one in told().values()}[category]
    mine = {(f.semantic, f.scaffold) for f in spec.families} | {f.scaffold for f in spec.families}
    words, goals = template.words, [template.spec.objective]
    assert words is not None
    common = {
        family.scaffold
        if len(words.rules.get(family.name, ())) == 3
        else (family.semantic, family.scaffold)
        for family in template.spec.families
        if family.name not in words.optional
    }
    senses = {goal.sense for goal in (*goals, *words.goals)}
    alike = _shapes(spec) == _shapes(template.spec) and spec.objective.sense in senses
    return alike and common <= mine


def _shapes(spec: Spec) -> list[tuple[int, bool]]:
    return sorted((len(indices(g.scope)), g.domain == "binary") for g in spec.groups)


def candidates(case: Case, kind: str, rng: Rng) -> list[Candidate]:
    """All that the type can be asked with, by what the declaration says."""
    return list(_MAKERS[kind](case, rng))


def _goals(case: Case, rng: Rng) -> Iterator[Candidate]:
    """The aims that the text tells, of now and before, and the right one turned around."""
    main, beside = case.plans
    true = main.goals[main.goal].sense
    told = [(0, main.former), (1, beside.goal), (1, beside.former)]
    wrong = tuple(("goal", firm, k, case.plans[firm].goals[k].sense) for firm, k in told)
    turned = ("goal", 0, main.goal, "minimize" if true == "maximize" else "maximize")
    yield Candidate("", ("goal", 0, main.goal, true), wrong, (turned,))


def _contents(case: Case, rng: Rng) -> Iterator[Candidate]:
    """A rule in its own sense and in the others; other rules where it can have few or none."""
    main, beside = case.plans
    for name in main.turned or main.asked:
        mine = main.sense(name)
        senses = senses_of(main.full.family(name)) if name in main.turned else ()
        wrong = [("rule", 0, name, sense) for sense in senses if sense != mine]
        other = [("rule", 0, one, main.sense(one)) for one in main.asked if one != name]
        other += [("rule", 1, one, beside.sense(one)) for one in beside.asked]
        right = ("rule", 0, name, mine)
        yield Candidate(name, right, tuple(wrong), tuple(other))


def _required(case: Case, rng: Rng) -> Iterator[Candidate]:
    """Rules that stand in the model; those that do not are the other firm's, dropped or twisted."""
    main, beside = case.plans
    gone = [name for name in main.data["without"] if name in main.words.rules]
    wrong = [("rule", 1, name, beside.sense(name)) for name in beside.words.rules]
    wrong += [("rule", 0, name, main.sense(name)) for name in gone]
    twisted = [
        ("rule", 0, name, sense)
        for name in main.turned
        for sense in senses_of(main.full.family(name))
        if sense != main.sense(name)
    ]
    for name in main.asked:
        right = ("rule", 0, name, main.sense(name))
        yield Candidate("", right, tuple(wrong), tuple(twisted))


def _categories(case: Case, rng: Rng) -> Iterator[Candidate]:
    weights = {
        told()[name].title: weight
        for name, weight in frequency().items()
        if not fits(case.main.spec, told()[name].title)
    }
    names, total = list(weights), sum(weights.values())
    # As often wrong as right elsewhere, so that no category is a good guess by itself.
    share = [weight / total for weight in weights.values()]
    for _ in range(8):
        chosen = rng.choice(len(names), 5, replace=False, p=share)
        wrong = tuple(("category", names[i]) for i in chosen)
        yield Candidate("", ("category", case.main.template.title), wrong)


def _types(case: Case, rng: Rng) -> Iterator[Candidate]:
    wrong = tuple(("type", kind) for kind in KINDS if kind != case.kind)
    yield Candidate("", ("type", case.kind), wrong)


def _sets(case: Case, rng: Rng) -> Iterator[Candidate]:
    true, other = ([f"{k}:set:{s.name}" for s in plan.spec.sets if not s.parts]
                   for k, plan in enumerate(case.plans))  # fmt: skip
    given = [name for name in _given(case, 0) if case.main.spec.parameter(name[12:]).unit]
    yield from lists(case, "Q5", true, other, given, rng)


def _decisions(case: Case, rng: Rng) -> Iterator[Candidate]:
    true, other = ([f"{k}:group:{g.name}" for g in plan.spec.groups]
                   for k, plan in enumerate(case.plans))  # fmt: skip
    yield from lists(case, "Q6", true, other, _given(case, 0), rng)


def _objective_data(case: Case, rng: Rng) -> Iterator[Candidate]:
    used = [f"0:parameter:{name}" for name in _data(case.main.spec, _rule(case.main))]
    could = [name for k in (0, 1) for name in _given(case, k, full=True) if name in _aims(case)]
    never = [name for name in _given(case, 0, full=True) if name not in could]
    true, false = ([name for name in could if (name in used) == inside] for inside in (True, False))
    none = ("items", ("0:none:",))
    if not true:
        mixed = combined([*false, *never], 2)
        yield Candidate("", none, tuple(("items", names) for names in mixed))
        return
    forced = rng.random() < SHARE_OF_NONE
    for one in lists(case, "Q8", true, false, never, rng):
        yield replace(one, never=(none,)) if forced else one


def _objective_decisions(case: Case, rng: Rng) -> Iterator[Candidate]:
    used = uses(case.main.spec, _rule(case.main)).groups
    true = [f"0:group:{name}" for name in used]
    groups = [f"{k}:group:{g.name}" for k, plan in enumerate(case.plans) for g in plan.spec.groups]
    false = [name for name in groups if name not in true and name in _aims(case)]
    never = [name for name in groups if name not in _aims(case)]
    yield from lists(case, "Q9", true, false, [*never, *_given(case, 0)], rng)


def _aims(case: Case) -> set[str]:
    """The data and decisions that are in some aim of their firm."""
    found = set()
    for firm, plan in enumerate(case.plans):
        for goal in plan.goals:
            found |= {f"{firm}:parameter:{name}" for name in _data(plan.full, goal.rule)}
            found |= {f"{firm}:group:{name}" for name in uses(plan.full, goal.rule).groups}
    return found


def _data(spec: Spec, rule: str) -> tuple[str, ...]:
    """The parameters that a sum is computed from, those of its conditions left out."""
    tree = ast.parse(rule, mode="eval")
    for node in ast.walk(tree):
        if isinstance(node, ast.comprehension):
            node.ifs = []
    return uses(spec, ast.unparse(tree)).parameters


def _rule(plan: Plan) -> str:
    return plan.spec.objective.rule


def _left_sides(case: Case, rng: Rng) -> Iterator[Candidate]:
    """Left sides of any family; where these are few, sums that an aim would be about."""
    sides = [
        ("left", firm, name)
        for firm, plan in enumerate(case.plans)
        for name, found in plan.words.rules.items()
        if len(found) > 1
    ]
    sums = tuple(("sum", k) for k in range(len(case.main.goals)))
    for name in case.main.asked:
        if ("left", 0, name) not in sides:
            continue
        wrong = tuple(one for one in sides if one != ("left", 0, name))
        yield Candidate(name, ("left", 0, name), wrong, sums if len(wrong) < PLACES else ())


def _scopes(case: Case, rng: Rng) -> Iterator[Candidate]:
    told = [dict.fromkeys(_scopes_told(plan, k)) for k, plan in enumerate(case.plans)]
    for family in case.main.asked:
        true = sorted(f"0:{name}" for name in index_sets(case.main.spec.family(family).scope))
        wrong = [scope for scope in (*told[0], *told[1]) if sorted(scope) != true]
        yield Candidate(family, ("scope", family), tuple(("scope", scope) for scope in wrong))


def _scopes_told(plan: Plan, firm: int) -> list[tuple[str, ...]]:
    """The scopes of all constraints and decisions."""
    scopes = [family.scope for family in plan.spec.families]
    scopes += [group.scope for group in plan.spec.groups]
    return [tuple(f"{firm}:{name}" for name in index_sets(scope)) for scope in scopes]


def _given(case: Case, firm: int, full: bool = False) -> list[str]:
    """The data of a firm, those of its sets' sizes left out; with `full` those not used, too."""
    plan = case.plans[firm]
    spec = plan.full if full else plan.spec
    sizes = {item.size for item in plan.full.sets}
    return [f"{firm}:parameter:{p.name}" for p in spec.parameters if p.name not in sizes]


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
