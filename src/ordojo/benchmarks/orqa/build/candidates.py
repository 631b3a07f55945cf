"""What can be asked of a case: for each question type right claims, and wrong ones beside them.

Then which options are chosen, and their order, so that none is told by how it looks: neither
letter, nor length, nor shared words shall tell which is right. It is first, second, third and last
by each of them equally often, as nearly as the claims that there are allow.
"""

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from ordojo.benchmarks.orqa.build.case import KINDS, Case, CasePlan, frequency, senses_of, told
from ordojo.benchmarks.orqa.build.context import Claim
from ordojo.benchmarks.orqa.hardness import CUES, Text, bag, beside, rank
from ordojo.benchmarks.orqa.schema import QUESTION_TYPES
from ordojo.core.seeds import generator
from ordojo.formulation.algebra import index_sets, indices, uses
from ordojo.formulation.spec import Spec
from ordojo.problems.base import Rng

NONE = "0:none:"
"""An item that stands alone."""
LONGEST = 3
"""Items of a list at most."""


@dataclass(frozen=True)
class ClaimCandidates:
    """A question's right claim and wrong ones to choose three from; `about` is a family or "".

    `must` are wrong claims that are always shown, as far as there is room; `spare` ones are shown
    where there are too few others.
    """

    about: str
    right: Claim
    wrong: tuple[Claim, ...]
    must: tuple[Claim, ...] = ()
    spare: tuple[Claim, ...] = ()


def lists(
    true: Sequence[str], false: Sequence[Sequence[str]], spare: Sequence[str], rng: Rng
) -> Iterator[ClaimCandidates]:
    """Lists of true items, and others with at least one false one.

    `false` are groups of items that belong together as the true ones do. Lists of one group are as
    coherent as the right one is, so that they come first; of a single group only one is shown, for
    two of them could not both be right. Items of `spare` are never right.
    """
    known = set(true)
    alike = dict.fromkeys(c for group in false for c in combined(group))
    beside = [("items", c) for c in alike]
    mixed, never = ([("items", c) for group in part for c in combined([*true, *group])
                     if not {*c} <= known and (len(c) == 1 or NONE not in c)
                     and c not in alike]
                    for part in (false, [spare]))  # fmt: skip
    for names in combined(true):
        right = ("items", names)
        if len(false) > 1 or not beside:
            yield ClaimCandidates("", right, tuple(beside), (), (*mixed, *never))
            continue
        near = [one for one in beside if len(one[1]) == len(names)] or beside
        twin = near[int(rng.integers(len(near)))]
        yield ClaimCandidates("", right, tuple(mixed), (twin,), tuple(never))


def combined(names: Sequence[str]) -> list[tuple[str, ...]]:
    """Every choice of 1 to `LONGEST` names, the short ones first."""
    return [c for size in range(1, LONGEST + 1) for c in combinations(names, size)]


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


def candidates(case: Case, kind: str, rng: Rng) -> list[ClaimCandidates]:
    """All that the type can be asked with, by what the declaration says."""
    return list(_MAKERS[kind](case, rng))


def _goals(case: Case, rng: Rng) -> Iterator[ClaimCandidates]:
    """The aims that the text tells, of now and before."""
    right, *wrong = [
        ("goal", firm, k, plan.goals[k].sense)
        for firm, plan in enumerate(case.plans)
        for k in (plan.goal, plan.former)
    ]
    yield ClaimCandidates("", right, tuple(wrong))


def _contents(case: Case, rng: Rng) -> Iterator[ClaimCandidates]:
    """A rule in its own sense, in that of before, and in others."""
    main, beside = case.plans
    name, before = main.before
    if main.refused:
        told = [("rule", 0, name, sense) for sense in (main.sense(name), before, main.refused)]
        known = {claim[3] for claim in told} | {"=="}
        # "Exactly" implies others, so that it never is what holds or was before: it is not shown.
        senses = [sense for sense in senses_of(main.full.family(name)) if sense not in known]
        wrong = [("rule", 0, name, sense) for sense in senses]
        yield ClaimCandidates(name, told[0], tuple(wrong), tuple(told[1:]))
        return
    other = tuple(("rule", 1, one, beside.sense(one)) for one in beside.asked)
    own = [("rule", 0, one, main.sense(one)) for one in main.asked]
    for right in own:
        rest = tuple(one for one in own if one != right)
        yield ClaimCandidates(right[2], right, other, rest)


def _required(case: Case, rng: Rng) -> Iterator[ClaimCandidates]:
    """Rules that stand in the model; others are the other firm's, or told as they were before."""
    main, beside = case.plans
    wrong = [("rule", 1, name, beside.sense(name)) for name in beside.asked]
    before = [("rule", k, *plan.before) for k, plan in enumerate(case.plans) if plan.before[0]]
    twisted = [
        ("rule", firm, name, sense)
        for firm, plan in enumerate(case.plans)
        for name in plan.turned
        for sense in senses_of(plan.full.family(name))
        if sense != plan.sense(name)
    ]
    for name in [main.before[0]] * 2 + list(main.asked):
        if name:
            right = ("rule", 0, name, main.sense(name))
            yield ClaimCandidates("", right, tuple(wrong), tuple(before), tuple(twisted))


def _categories(case: Case, rng: Rng) -> Iterator[ClaimCandidates]:
    """The category of the other firm, and others, as often wrong as right elsewhere."""
    weights = {
        told()[name].title: weight
        for name, weight in frequency().items()
        if not fits(case.main.spec, told()[name].title)
    }
    names, total = list(weights), sum(weights.values())
    share = [weight / total for weight in weights.values()]
    beside = case.plans[1].template.title
    must = (("category", beside),) if beside in weights else ()
    for _ in range(8):
        chosen = rng.choice(len(names), 5, replace=False, p=share)
        wrong = tuple(("category", names[i]) for i in chosen)
        yield ClaimCandidates("", ("category", case.main.template.title), wrong, must)


def _types(case: Case, rng: Rng) -> Iterator[ClaimCandidates]:
    wrong = tuple(("type", kind) for kind in KINDS if kind != case.kind)
    yield ClaimCandidates("", ("type", case.kind), wrong)


def _sets(case: Case, rng: Rng) -> Iterator[ClaimCandidates]:
    true, other = ([f"{k}:set:{s.name}" for s in plan.spec.sets if not s.parts]
                   for k, plan in enumerate(case.plans))  # fmt: skip
    yield from lists(true, [other], _given(case, 0), rng)


def _decisions(case: Case, rng: Rng) -> Iterator[ClaimCandidates]:
    true, other = ([f"{k}:group:{g.name}" for g in plan.spec.groups]
                   for k, plan in enumerate(case.plans))  # fmt: skip
    yield from lists(true, [other], _given(case, 0), rng)


def _objective_data(case: Case, rng: Rng) -> Iterator[ClaimCandidates]:
    """The data of the aims that the text tells, of now and before, and of aims in general."""
    aims = [
        [
            [f"{k}:parameter:{name}" for name in _data(plan.full, aim.rule)] or [NONE]
            for aim in plan.told
        ]
        for k, plan in enumerate(case.plans)
    ]
    yield from _of_aims(aims, _given(case, 0, full=True), rng)


def _objective_decisions(case: Case, rng: Rng) -> Iterator[ClaimCandidates]:
    """The decisions in the aims that the text tells, of now and before, and in aims in general."""
    aims = [
        [[f"{k}:group:{name}" for name in uses(plan.full, aim.rule).groups] for aim in plan.told]
        for k, plan in enumerate(case.plans)
    ]
    groups = [f"{k}:group:{g.name}" for k, plan in enumerate(case.plans) for g in plan.spec.groups]
    yield from _of_aims(aims, [*groups, *_given(case, 0)], rng)


def _of_aims(
    aims: Sequence[Sequence[list[str]]], spare: Sequence[str], rng: Rng
) -> Iterator[ClaimCandidates]:
    """Lists of what is in the first aim of the first plan; others of what is in other aims."""
    (true, *own), other = aims
    groups = [[name for name in one if name not in true] for one in (*own[:1], *other[:2])]
    alone = dict.fromkeys(name for one in (*own, *other) for name in one if name != NONE)
    groups += [[name] for name in alone if name not in true]
    never = [name for name in spare if name not in true]
    yield from lists(true, [one for one in groups if one], never, rng)


def _data(spec: Spec, rule: str) -> tuple[str, ...]:
    """The parameters that a sum is computed from, those of its conditions left out."""
    tree = ast.parse(rule, mode="eval")
    for node in ast.walk(tree):
        if isinstance(node, ast.comprehension):
            node.ifs = []
    return uses(spec, ast.unparse(tree)).parameters


def _left_sides(case: Case, rng: Rng) -> Iterator[ClaimCandidates]:
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
        own, other = (
            tuple(one for one in sides if one[1] == firm and one != ("left", 0, name))
            for firm in (0, 1)
        )
        # The question names a matter of the first firm, so the other's sides look wrong; of its own
        # as many for each, lest those of a problem with few be right more often.
        must = tuple(own[i] for i in rng.permutation(len(own))[:2])
        yield ClaimCandidates(name, ("left", 0, name), other, must, sums)


def _scopes(case: Case, rng: Rng) -> Iterator[ClaimCandidates]:
    told = [dict.fromkeys(_scopes_told(plan, k)) for k, plan in enumerate(case.plans)]
    for family in case.main.asked:
        true = sorted(f"0:{name}" for name in index_sets(case.main.spec.family(family).scope))
        wrong = [scope for scope in (*told[0], *told[1]) if sorted(scope) != true]
        yield ClaimCandidates(family, ("scope", family), tuple(("scope", scope) for scope in wrong))


def _scopes_told(plan: CasePlan, firm: int) -> list[tuple[str, ...]]:
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


PLACES = 4
"""Options of a question, and so the places that one may have in any order of them."""

TRIALS = 192
"""Choices of options that are compared for a question."""

TARGETS: Mapping[str, tuple[str, ...]] = {
    "letter": (),
    "length": ("length",),
    "match": ("occurring", "often", "runs", "sentence"),
    "early": ("early",),
    "asked": ("asked",),
    "typical": ("typical", "shared"),
}
"""What a place is drawn for, and the cues that shall have it."""

ALONE = [name for names in TARGETS.values() for name in names if name in CUES]
"""Those of an option by itself."""


def target(seed: int, split: str, index: int) -> dict[str, int]:
    """The places of the right option of question `index` among the four (0: the least).

    Of each four questions of one type, every place of every target comes once.
    """
    turn, kind = divmod(index, len(QUESTION_TYPES))

    def place(what: str) -> int:
        rng = generator(seed, f"orqa/{split}/{what}/{kind}", turn // PLACES)
        return int(rng.permutation(PLACES)[turn % PLACES])

    return {what: place(what) for what in TARGETS}


def choose(
    found: Sequence[ClaimCandidates],
    say: Callable[[Claim], str],
    usable: Callable[[str, Claim], bool],
    text: Callable[[str], Text],
    wanted: Mapping[str, int],
    rng: Rng,
) -> tuple[str, tuple[Claim, ...]] | None:
    """What is asked about, and the options nearest to the target, the right one first.

    Of TRIALS drawn; None where none has three wrong ones. `usable(about, claim)` says whether a
    wrong claim can be proved wrong; it is asked late, for it may cost a solve.
    """
    texts = {c: say(c) for one in found for c in (one.right, *one.wrong, *one.must, *one.spare)}
    lower = {claim: said.lower() for claim, said in texts.items()}
    bags = {claim: bag(said) for claim, said in texts.items()}
    seen = {one.about: text(one.about) for one in found}
    cues: dict[tuple[str, Claim], list[float]] = {}

    def nearest(found: Sequence[ClaimCandidates]) -> tuple[str, tuple[Claim, ...]] | None:
        drawn: list[tuple[float, int, str, tuple[Claim, ...]]] = []
        for place in range(TRIALS):
            one = found[int(rng.integers(len(found)))]
            claims = (one.right, *_three(one, lower, rng))
            if len({lower[claim] for claim in claims}) < PLACES:
                continue
            for claim in claims:
                if (one.about, claim) not in cues:
                    cues[one.about, claim] = [
                        CUES[name](seen[one.about], texts[claim]) for name in ALONE
                    ]
            alone = zip(*(cues[one.about, claim] for claim in claims), strict=True)
            shown = {**dict(zip(ALONE, alone, strict=True)), **beside([bags[c] for c in claims])}
            drawn.append((_miss(shown, wanted), place, one.about, claims))
        for _, _, about, claims in sorted(drawn, key=lambda item: item[:2]):
            if all(usable(about, claim) for claim in claims[1:]):
                return about, claims
        return None

    # Where what must be there cannot be proved wrong, or with it nothing else: anything.
    free = [replace(one, wrong=(*one.wrong, *one.must, *one.spare), must=()) for one in found]
    return nearest(found) or nearest(free)


def _three(one: ClaimCandidates, lower: Mapping[Claim, str], rng: Rng) -> list[Claim]:
    """Three wrong claims that read differently, the first of those that must be there."""
    parts = (one.must, one.wrong, one.spare)
    drawn = [(part, rng.permutation(len(part)).tolist()) for part in parts]
    taken = {lower[one.right]: one.right}
    for claim in (part[i] for part, order in drawn for i in order):
        if len(taken) == PLACES:
            break
        taken.setdefault(lower[claim], claim)
    return list(taken.values())[1:]


def _miss(shown: Mapping[str, Sequence[float]], wanted: Mapping[str, int]) -> float:
    """How far the right option, the first, is from its places."""
    return sum(
        abs(rank(shown[cue], 0) - wanted[what]) / len(cues)
        for what, cues in TARGETS.items()
        for cue in cues
    )


def placed(claims: Sequence[Claim], letter: int, rng: Rng) -> list[Claim]:
    """The right claim at its letter, the others around it in a drawn order."""
    others: Iterator[Claim] = (claims[1:][i] for i in rng.permutation(len(claims) - 1))
    return [claims[0] if place == letter else next(others) for place in range(len(claims))]
