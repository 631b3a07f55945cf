"""A case: two firms, each with a problem of the library in words, data and rules of its own.

The questions are about the first. The second stands beside it in the text: what is an index set, a
decision or a rule for one firm is none for the other, so that no phrase is right or wrong by
itself. For the same reason objective, senses of rules and optional families are drawn anew.
"""

import ast
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, TypeVar

import numpy as np

from ordojo.core.canonical import Json, canonical
from ordojo.core.errors import DataError, GeneratorError, UsageError
from ordojo.core.seeds import generator
from ordojo.formulation.algebra import mentioned, parse, uses
from ordojo.formulation.build import bind, build
from ordojo.formulation.spec import Family, Objective, Set, Spec, Tables
from ordojo.formulation.vocabulary import Semantic
from ordojo.milp.model import Model
from ordojo.problems.base import Knobs, Rng, Template, Words
from ordojo.problems.optimum import solve
from ordojo.problems.registry import get_template, templates
from ordojo.solvers.answers import Status

BINARY = "Pure binary linear programming"
INTEGER = "Pure integer linear programming"
MIXED = "Mixed-integer linear programming"
LINEAR = "Linear programming"
KINDS = (BINARY, INTEGER, MIXED, LINEAR)

SENSES: Mapping[str, tuple[str, str]] = {
    "<=": ("may not exceed", "is at most"),
    ">=": ("may not fall short of", "is at least"),
    "==": ("has to come to just", "is exactly"),
    "half >=": ("has to reach one half of", "is at least half of"),
    "half <=": ("has to stay within one half of", "is at most half of"),
}
"""Senses of a rule with two sides, as the context says them and as an option does."""

APART = (("<=", ">="), ("<=", "half >="), *[(">=", "half <=")] * 3, *[("half >=", "half <=")] * 2)
"""Senses of which neither follows from the other; more of those that have a solution less often."""

FIRMS = (
    "Ostermoor", "Brindlewick", "Calderfen", "Nordvale", "Tamsin Quay", "Hollowmere", "Verrick",
    "Pellandra", "Greywater", "Sunderlin", "Kestrel Point", "Marrowby", "Fennimore", "Lindqvale",
    "Ashcombe Row", "Torvallen", "Oakhelm", "Quillonay", "Redmarsh", "Silverbeck", "Thornaby Cross",
    "Umberley", "Westerholt", "Yarrowdale", "Zellenbrook", "Eskermouth", "Dunmarrow", "Corvane",
)  # fmt: skip
"""Invented names of whoever plans."""

MORE = 3
"""By how much a counting knob may exceed its small value."""
BARE = 0.25
"""How often an aim without data is drawn, against one with: else Q8's "none" is right too often."""
TRIES = 24
"""Draws of senses and objective before the declared ones are taken."""
SECONDS = 20.0
"""For one solve of a case's small model, here and in its proof."""


@dataclass(frozen=True, eq=False)
class CasePlan:
    """One firm's problem: `full` has all families and parameters, `spec` those of its model."""

    data: Mapping[str, Any]
    template: Template
    words: Words
    goals: tuple[Objective, ...]
    full: Spec
    spec: Spec
    tables: Tables
    values: Mapping[str, Any]

    @property
    def firm(self) -> str:
        """The name of who plans."""
        return FIRMS[self.data["firm"]]

    @property
    def goal(self) -> int:
        """Which of the goals is the objective."""
        return int(self.data["goal"])

    @property
    def former(self) -> int:
        """Which of the goals it had before."""
        return int(self.data["former"])

    @property
    def told(self) -> list[Objective]:
        """Its goals: that of now, the former, and those that the text does not tell."""
        first = [self.goal, self.former]
        rest = [k for k in range(len(self.goals)) if k not in first]
        return [self.goals[k] for k in (*first, *rest)]

    @property
    def before(self) -> tuple[str, str]:
        """The family that was told in another sense before, and this sense; none: ("", "")."""
        name, sense = self.data["before"]
        return str(name), str(sense)

    @property
    def refused(self) -> str:
        """A third sense of that family, which somebody asked for in vain; none: ""."""
        name, sense = self.before
        known = {self.sense(name), sense, "=="} if name else set(SENSES)
        left = (
            [one for one in senses_of(self.full.family(name)) if one not in known] if name else []
        )
        return left[int(self.data["draw"]) % len(left)] if left else ""

    def sense(self, family: str) -> str:
        """The sense that a family has here."""
        said: str = self.data["senses"].get(family, "")
        return said or declared(self.full.family(family))

    @cached_property
    def asked(self) -> tuple[str, ...]:
        """The families that can be asked about."""
        return tuple(f.name for f in self.spec.families if f.name in self.words.rules)

    @cached_property
    def turned(self) -> tuple[str, ...]:
        """Those of them that have two sides in words."""
        return tuple(name for name in self.asked if len(self.words.rules[name]) == 3)


@dataclass(frozen=True, eq=False)
class Case:
    """The two plans and what they were made of."""

    recipe: Mapping[str, Any]
    plans: tuple[CasePlan, CasePlan]

    @cached_property
    def key(self) -> str:
        """What tells it from other cases."""
        return canonical(self.recipe)

    @property
    def main(self) -> CasePlan:
        """The plan that is asked about."""
        return self.plans[0]

    @property
    def kind(self) -> str:
        """The model type of the main plan."""
        return str(self.main.data["kind"])


@lru_cache(maxsize=1)
def told() -> Mapping[str, Template]:
    """The templates that have words, by name."""
    return {one.name: one for one in templates() if one.words}


def kinds(spec: Spec) -> tuple[str, ...]:
    """The model types that a declaration can be given by its variables' domains."""
    there = {group.domain for group in spec.groups}
    if there == {"binary"}:
        return (BINARY,)
    found = [MIXED] if "continuous" in there and len(there) > 1 else []
    # Shares of a whole leave no room for whole numbers.
    if not any(family.semantic == Semantic.LOWER_PROPORTION for family in spec.families):
        found.append(INTEGER)
    return (*found, *(() if "binary" in there else (LINEAR,)))


@lru_cache(maxsize=1)
def frequency() -> Mapping[str, float]:
    """How often each template is asked about, by name."""
    found = dict.fromkeys(told(), 0.0)
    for kind in KINDS:
        mine = [name for name, one in told().items() if kind in kinds(one.spec)]
        for name in mine:
            found[name] += 1 / len(mine) / len(KINDS)
    return found


def recipe(seed: int, split: str, context: int) -> dict[str, Json]:
    """What makes context number `context` of a split; the same arguments, the same recipe."""
    block, place = divmod(context, len(KINDS))
    kind = KINDS[generator(seed, f"orqa/{split}/kinds", block).permutation(len(KINDS))[place]]
    names = [name for name, one in told().items() if kind in kinds(one.spec)]
    turn, at = divmod(block, len(names))
    order = generator(seed, f"orqa/{split}/{kind}", turn).permutation(len(names))
    template = told()[names[order[at]]]
    rng = generator(seed, f"orqa/{split}/context", context)
    firms = rng.choice(len(FIRMS), 2, replace=False)
    # Drawn as the first is, and of another type, so that nothing but the text tells whose is asked.
    other = [one for one in KINDS if one != kind][int(rng.integers(len(KINDS) - 1))]
    others = [
        one
        for one in told().values()
        if other in kinds(one.spec) and one.application[0] != template.application[0]
    ]
    beside = others[int(rng.integers(len(others)))]
    plans = [_drawn(template, kind, int(firms[0]), rng), _drawn(beside, other, int(firms[1]), rng)]
    return {"plans": [dict(plan) for plan in plans], "layout": int(rng.integers(2**31))}


def _drawn(template: Template, kind: str, firm: int, rng: Rng) -> dict[str, Any]:
    """A recipe whose model has a solution and no unbounded objective."""
    words, spec = _words(template), template.spec
    data: dict[str, Any] = {
        "template": template.name,
        "kind": kind,
        "firm": firm,
        "without": [name for name in words.optional if rng.random() < 0.5],
        "nouns": [int(rng.integers(len(_nouns(line)))) for line in words.nouns],
        "knobs": dict(_knobs(template, rng)),
        "draw": int(rng.integers(2**31)),
    }
    two = [name for name, sides in words.rules.items() if len(sides) == 3]
    goals = (spec.objective, *words.goals)
    weights = np.array([1.0 if uses(spec, goal.rule).parameters else BARE for goal in goals])
    there = [name for name in two if name not in data["without"]]
    # One with all senses to choose from, where there is.
    there = [x for x in there if len(senses_of(spec.family(x))) == len(SENSES)] or there
    for place in range(TRIES):
        goal, former = rng.choice(len(goals), 2, replace=False, p=weights / weights.sum()).tolist()
        # The declared senses later: they have a solution by the way the data are drawn.
        senses = {
            name: declared(spec.family(name))
            if place >= TRIES // 2
            else str(rng.choice(senses_of(spec.family(name))))
            for name in two
        }
        before, was = ["", ""], dict(senses)
        if there:
            name = there[int(rng.integers(len(there)))]
            pairs = [pair for pair in APART if {*pair} <= {*senses_of(spec.family(name))}]
            own = [pair for pair in pairs if senses[name] in pair]
            last = place >= TRIES - 4 and own
            pair = (own if last else pairs)[int(rng.integers(len(own if last else pairs)))]
            turn = pair.index(senses[name]) if last else int(rng.integers(2))
            senses[name], was[name] = pair[turn], pair[1 - turn]
            before = [name, was[name]]
        chosen = {**data, "goal": goal, "former": former, "senses": senses, "before": before}
        # What holds and what was before could change places, so that neither is told by itself.
        swapped = {**chosen, "goal": former, "former": goal, "senses": was, "before": ["", ""]}
        made = [plan(one) for one in (chosen, *([swapped] if place < TRIES - 4 else []))]
        if all(_solvable(build(one.spec, one.tables).model) for one in made):
            return chosen
    raise GeneratorError(
        f"{template.name}: no plan of type {kind} has a solution; correct its draw"
    )


def _solvable(model: Model) -> bool:
    if solve(model.relaxed, SECONDS).status != Status.OPTIMAL:
        return False
    return solve(replace(model, objective=np.zeros(model.n)), SECONDS).x is not None


def make_case(recipe: Mapping[str, Any]) -> Case:
    """The case of a recipe; raises DataError where it is none."""
    return _case(canonical(recipe))


@lru_cache(maxsize=64)
def _case(text: str) -> Case:
    data = json.loads(text)
    try:
        one, two = data["plans"]
        return Case(data, (plan(one), plan(two)))
    except (KeyError, TypeError, ValueError, IndexError, UsageError, GeneratorError) as error:
        raise DataError(f"the certificate's recipe makes no case ({error!r})") from None


def plan(data: Mapping[str, Any]) -> CasePlan:
    """The plan of a recipe; raises KeyError, ValueError, IndexError or UsageError."""
    template = get_template(data["template"])
    words, without = _words(template), data["without"]
    if data["kind"] not in kinds(template.spec) or not set(without) <= set(words.optional):
        raise ValueError(f"{data['kind']} without {without}")
    knobs = template.settings("small", data["knobs"])
    for knob in template.knobs:
        if not knob.values[0] <= knobs[knob.name] <= knob.values[0] + MORE:
            raise ValueError(f"{knob.name}={knobs[knob.name]}")
    tables = template.tables(knobs, int(data["draw"]), 0)
    nouns = dict(pair for line, k in zip(words.nouns, data["nouns"], strict=True)
                 for pair in zip(_nouns(line)[0], _nouns(line)[k], strict=True))  # fmt: skip
    words = reworded(words, nouns)
    full = reworded(_typed(template.spec, data["kind"]), nouns)
    sets = [replace(s, one=words.pairs.get(s.name, s.one)) for s in full.sets]
    families = [turned(one, words, data["senses"].get(one.name, "")) for one in full.families]
    goals = (full.objective, *words.goals)
    full = replace(full, sets=tuple(sets), families=tuple(families), objective=goals[data["goal"]])
    spec = reduced(replace(full, families=tuple(f for f in families if f.name not in without)))
    FIRMS[data["firm"]], goals[data["former"]]
    name, sense = data["before"]
    if name in without or (name and not turned(full.family(name), words, sense).meaning):
        raise ValueError(f"{name} is left out")
    return CasePlan(data, template, words, goals, full, spec, tables, bind(full, tables))


def _words(template: Template) -> Words:
    if template.words is None:
        raise ValueError(template.name)
    return template.words


def declared(family: Family) -> str:
    """The sense of a family's rule."""
    tree = parse(family.rule)
    assert isinstance(tree, ast.Compare)
    return {ast.LtE: "<=", ast.GtE: ">=", ast.Eq: "=="}[type(tree.ops[0])]


def senses_of(family: Family) -> tuple[str, ...]:
    """The senses that a family can be given: no halves of what has no number beside it."""
    right = parse(family.rule).comparators[0]  # type: ignore[attr-defined]
    halves = isinstance(right, ast.Name | ast.Subscript)
    return tuple(sense for sense in SENSES if halves or not sense.startswith("half"))


def rule_with(rule: str, sense: str) -> str:
    """A rule in another sense."""
    tree = parse(rule)
    assert isinstance(tree, ast.Compare)
    left, right = ast.unparse(tree.left), ast.unparse(tree.comparators[0])
    half, _, sign = sense.rpartition(" ")
    return f"2 * ({left}) {sign} {right}" if half else f"{left} {sign} {right}"


_SEMANTICS = {"<=": "UPPER", ">=": "LOWER"}


def turned(family: Family, words: Words, sense: str) -> Family:
    """A family in the words of its two sides, where it has them, and in a sense."""
    if len(words.rules.get(family.name, ())) < 3:
        if sense:
            raise ValueError(f"{family.name} has one sense")
        return family
    _, left, right = words.rules[family.name]
    sense = sense or declared(family)
    if sense not in senses_of(family):
        raise ValueError(f"{family.name} {sense}")
    meaning = f"{left} {SENSES[sense][0]} {right}"
    if sense == declared(family):
        return replace(family, meaning=meaning)
    side = _SEMANTICS.get(sense[-2:])
    name = family.semantic.name.partition("_")[2]
    label = f"{side}_{name}" if side else "EQUALITY"
    semantic = Semantic[label] if label in Semantic.__members__ else family.semantic
    return replace(family, rule=rule_with(family.rule, sense), meaning=meaning, semantic=semantic)


def reduced(spec: Spec) -> Spec:
    """Without the parameters and sets that nothing mentions any more."""
    texts = [spec.objective.rule]
    texts += [text for family in spec.families for text in (family.scope, family.rule)]
    texts += [text for g in spec.groups for text in (g.scope, g.lower, g.upper)]
    used = {*mentioned(*texts)}
    parts = {part for other in spec.sets if other.name in used for part in other.parts}
    sets = tuple(s for s in spec.sets if s.name in used | parts)
    used |= {s.size for s in sets}
    return replace(spec, sets=sets, parameters=tuple(p for p in spec.parameters if p.name in used))


def _typed(spec: Spec, kind: str) -> Spec:
    changed: Mapping[str, str] = {
        INTEGER: {"continuous": "integer"}, LINEAR: {"integer": "continuous"}
    }.get(kind, {})  # fmt: skip
    groups = [replace(g, domain=changed.get(g.domain, g.domain)) for g in spec.groups]
    return replace(spec, groups=tuple(groups))


def _knobs(template: Template, rng: Rng) -> Knobs:
    """The small knobs, with a little more to count; without where that is refused."""
    more = {
        knob.name: int(knob.values[0]) + int(rng.integers(MORE + 1))
        for knob in template.knobs
        if knob.name.startswith("n_") and knob.whole
    }
    try:
        return template.settings("small", more)
    except UsageError:
        return template.settings("small")


def layout(case: Case) -> Rng:
    """The generator of everything in the wording of the context."""
    return np.random.default_rng(np.random.SeedSequence([int(case.recipe["layout"])]))


T = TypeVar("T")
TEXTS = {"scenario", "meaning", "unit", "one", "many", "each", "tellings", "goals", "rules"}
TEXTS |= {"sets", "parameters", "groups", "families", "objective", "pairs", "who"}
"""Fields that hold texts, or parts that have such fields; all others are identifiers."""

_ARTICLE = re.compile(r"\b([Aa])n? (?=([A-Za-z]+))")
_AN = re.compile(r"(?!uni|use|one\b|eu)[aeiou]|hour", re.IGNORECASE)


def _nouns(line: str) -> list[tuple[str, str]]:
    """A noun and what may stand for it, each with its plural."""
    words = [word.replace("_", " ").partition("/") for word in line.split()]
    return [(one, many or f"{one}s") for one, _, many in words]


def reworded(value: T, words: Mapping[str, str]) -> T:
    """The value with other nouns in all its texts, whatever it is made of."""
    found: Any = _reworded(value, words)
    return found  # type: ignore[no-any-return]  # the same type as `value`


def _reworded(value: Any, words: Mapping[str, str]) -> Any:
    match value:
        case str():
            return articles(_swap(value, words))
        case Mapping():
            return {key: _reworded(one, words) for key, one in value.items()}
        case tuple():
            return tuple(_reworded(one, words) for one in value)
        case _ if is_dataclass(value) and not isinstance(value, type):
            texts = [f.name for f in fields(value) if f.name in TEXTS]
            new = {name: _reworded(getattr(value, name), words) for name in texts}
            # What an element is called is the key column of a counted set.
            if isinstance(value, Set):
                new["key"] = value.key or (value.one.replace(" ", "_"),)
            return replace(value, **new)
    return value


def articles(text: str) -> str:
    """The text with "a" before consonants and "an" before vowels."""
    return _ARTICLE.sub(lambda m: f"{m[1]}{'n' if _AN.match(m[2]) else ''} ", text)


def _swap(text: str, words: Mapping[str, str]) -> str:
    changed = {old: new for old, new in words.items() if old != new}
    if not changed:
        return text
    pattern = "|".join(re.escape(old) for old in sorted(changed, key=len, reverse=True))

    def other(match: re.Match[str]) -> str:
        new = changed[match[0].lower()]
        return new[0].upper() + new[1:] if match[0][0].isupper() else new

    # Not inside a placeholder such as {most_bands}.
    return re.sub(rf"(?<![\w{{])(?:{pattern})(?![\w}}])", other, text, flags=re.IGNORECASE)


def elements(made: CasePlan, sets: Sequence[str]) -> set[tuple[Any, ...]]:
    """All tuples of a product of sets."""
    found: list[tuple[Any, ...]] = [()]
    for name in sets:
        parts = [e if isinstance(e, tuple) else (e,) for e in made.values[name]]
        found = [(*head, *tail) for head in found for tail in parts]
    return set(found)
