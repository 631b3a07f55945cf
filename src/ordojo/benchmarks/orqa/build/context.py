"""A case in prose: its context, the questions, and the claims that options make.

What is decided and what is given is implied by rules and aims. What an option claims is data, and
here is how it reads. A claim is a list; firm 0 is the one that is asked about, 1 the one beside it.
["goal", firm, k, sense], ["rule", firm, family, sense] and ["left", firm, family] say something of
a plan, ["sum", k] what goal k of the first adds up; ["category", name], ["type", name];
["items", [...]] with items such as "0:set:I", "1:group:hired", "0:parameter:weight", "0:none:";
["scope", family] or ["scope", ["0:I", "1:B"]].
"""

import re
from collections.abc import Sequence
from typing import Any

from ordojo.benchmarks.orqa.build.case import SENSES, Case, CasePlan, articles, layout, turned
from ordojo.core.errors import DataError
from ordojo.core.files import shipped_table
from ordojo.core.words import joined
from ordojo.formulation.spec import Family, Group
from ordojo.formulation.words import scope_words, sentence
from ordojo.problems.base import Rng

_ROLE = (
    "You plan for {firm}; {other} makes its plans alone.",
    "{other} has a planner of its own, and it is {firm} that has asked you for a plan.",
    "Of two neighbors, {firm} is your client, and {other} sees to itself.",
    "{other} and {firm} have the same owners, but only the plan of {firm} is yours to make.",
)
_GOAL = {
    "minimize": (
        "{firm} wants to see {goal} as small as it can be.",
        "What {firm} cares about is to bring down {goal} as far as possible.",
        "The less, the better, is what {firm} thinks of {goal}.",
    ),
    "maximize": (
        "{firm} wants to see {goal} as large as it can be.",
        "What {firm} cares about is to push up {goal} as far as possible.",
        "The more, the better, is what {firm} thinks of {goal}.",
    ),
}
_FORMER = (
    "Last year it was {goal} that {firm} looked at.",
    "In earlier years {firm} judged a plan by {goal}.",
    "Somebody proposed to go by {goal} instead, but {firm} would not hear of it.",
)
_GONE = (
    "There was a time when {firm} had another rule, which is gone: {rule}",
    "Until last year the rule at {firm} was another: {rule}",
    "The predecessor's plan kept to a rule that nobody asks for any more: {rule}",
)
_REFUSED = (
    "Somebody wished for another rule, and {firm} said no: {rule}",
    "In vain did the owners ask {firm} for this: {rule}",
    "A draft by a former planner of {firm} went too far: {rule}",
)
_DOMAINS = {
    "integer": ("{it} can only be a whole number.", "There are no fractions in {it}."),
    "continuous": ("{it} may well be a fraction.", "Nobody minds fractions in {it}."),
}


def context(case: Case) -> str:
    """The text of a case; its recipe decides the order of sentences and their wording.

    Both firms are told in the same way, so that no word is more frequent because it is asked about.
    """
    rng = layout(case)
    main, beside = case.plans
    role = _pick(rng, _ROLE, firm=main.firm, other=beside.firm)
    both = [_told(plan, rng) for plan in case.plans]
    own, other = (both[k] for k in rng.permutation(2))
    ways = ([role, *own, *other], [*own, *other, role])
    return " ".join(ways[int(rng.integers(len(ways)))])


def _told(plan: CasePlan, rng: Rng) -> list[str]:
    """A firm in sentences, the first of which names it."""
    scene, goal = _scene(plan, rng), _goal(plan, rng)
    families = plan.spec.families
    rules = [stated(plan, families[i]) for i in rng.permutation(len(families))]
    kinds = _kinds(plan, list(plan.spec.groups), rng)
    for aside in _asides(plan, rng):
        rules.insert(int(rng.integers(len(rules) + 1)), aside)
    ways = (
        [scene, *kinds, *rules, goal],
        [scene, *rules, goal, *kinds],
        [scene, goal, *rules, *kinds],
        [goal, scene, *kinds, *rules],
    )
    return ways[int(rng.integers(len(ways)))]


def _scene(plan: CasePlan, rng: Rng) -> str:
    """The scenario or another telling, with the firm's name in it."""
    tellings = (plan.full.scenario, *plan.words.tellings)
    text = tellings[int(rng.integers(len(tellings)))]
    who = re.compile(re.escape(plan.words.who) + r"(?!\w)(?=(.?))", re.IGNORECASE)
    return who.sub(lambda m: f"{plan.firm}, {plan.words.who}{'' if m[1] in ',.' else ','}", text, 1)


def _asides(plan: CasePlan, rng: Rng) -> list[str]:
    """An aim and rules that the firm does not have, or not any more."""
    found = [_pick(rng, _FORMER, firm=plan.firm, goal=plan.goals[plan.former].meaning)]
    name, before = plan.before
    for sense, frames in ((before, _GONE), (plan.refused, _REFUSED)):
        if sense:
            rule = stated(plan, turned(plan.full.family(name), plan.words, sense))
            found.append(_pick(rng, frames, firm=plan.firm, rule=rule[0].lower() + rule[1:]))
    return found


def _goal(plan: CasePlan, rng: Rng) -> str:
    goal = plan.goals[plan.goal]
    return _pick(rng, _GOAL[goal.sense], firm=plan.firm, goal=goal.meaning)


def _kinds(plan: CasePlan, groups: list[Group], rng: Rng) -> list[str]:
    """Which decisions may be fractions, one sentence for each domain."""
    found = []
    for domain, frames in _DOMAINS.items():
        mine = [_limited(plan, group) for group in groups if group.domain == domain]
        if mine:
            it = joined(mine)
            frame = frames[int(rng.integers(len(frames)))]
            found.append(articles(sentence(frame.format(it=it))))
    return [found[i] for i in rng.permutation(len(found))]


def _limited(plan: CasePlan, group: Group) -> str:
    upper = group.upper.partition("[")[0]
    limit = f" (up to the {plan.full.parameter(upper).meaning})" if upper else ""
    return f"{decided(group)}{limit}"


def stated(plan: CasePlan, family: Family) -> str:
    """A family as a sentence, with the elements that it holds for."""
    return articles(sentence(_scoped(plan, family, filled(plan, family.meaning))))


def _scoped(plan: CasePlan, family: Family, text: str) -> str:
    """With the elements that it holds for: "each drum goes ...", "for each lane, all loads ..."."""
    scope = scope_words(plan.full, family).removesuffix(": ")
    one = scope.removeprefix("for each ")
    if text.startswith(f"the {one} ") and not family.each:
        return f"each {one}{text.removeprefix(f'the {one}')}"
    return f"{scope}, {text}" if scope else text


def claimed(plan: CasePlan, name: str, sense: str) -> str:
    """A family as an option says it, in one of its senses."""
    family = plan.full.family(name)
    sides = plan.words.rules[name]
    text = f"{sides[1]} {SENSES[sense][1]} {sides[2]}" if len(sides) == 3 else family.meaning
    return articles(_scoped(plan, family, filled(plan, text)))


def number(value: float) -> str:
    """A number as a person writes it: 12,500 or 0.125."""
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:.4g}"


def filled(plan: CasePlan, text: str) -> str:
    """The text with the numbers of scalar parameters in place of `{name}`, with their units."""

    def shown(match: re.Match[str]) -> str:
        item = plan.full.parameter(match[1])
        said = number(plan.values[item.name])
        after = " ".join(text[match.end() :].split()[:2])
        return said if not item.unit or item.unit in after else f"{said} {item.unit}"

    return re.sub(r"\{(\w+)\}", shown, text)


def decided(group: Group) -> str:
    """A decision as a noun phrase: "whether a drum goes into a container", "the number of ..."."""
    if group.meaning.startswith("decision "):
        return group.meaning.removeprefix("decision ")
    return f"the {group.meaning}"


def _pick(rng: Rng, frames: tuple[str, ...], **parts: str) -> str:
    text = frames[int(rng.integers(len(frames)))].format(**parts)
    return text[0].upper() + text[1:]


Claim = Sequence[Any]

NONE = "none of the given figures"
JOIN = "; "
ONCE = "once only, for everything together"

QUESTIONS: dict[str, list[str]] = {}
for _row in shipped_table("ordojo.benchmarks.orqa", "tables/phrasings.csv"):
    QUESTIONS.setdefault(_row["type"], []).append(_row["question"])
"""Our phrasings; the published set's are others."""


def ask(case: Case, kind: str, phrasing: int, about: str) -> str:
    """The question of a type; `about` is the family that it is about, if any."""
    topic = case.main.words.rules[about][0] if about else ""
    topic = f"the {topic}" if " of " in topic else topic
    return QUESTIONS[kind][phrasing].format(topic=topic)


def say(case: Case, claim: Claim) -> str:
    """The option's text; raises DataError for what is no claim of this case."""
    try:
        text = _say(case, claim)
    except (KeyError, IndexError, ValueError, TypeError, AttributeError):
        raise DataError(f"{claim!r} is no claim about this case") from None
    return text[0].upper() + text[1:]


def _say(case: Case, claim: Claim) -> str:
    match claim:
        case ["goal", int(firm), int(k), str(sense)]:
            return f"{sense} {case.plans[firm].goals[k].meaning}"
        case ["rule", int(firm), str(family), str(sense)]:
            return claimed(case.plans[firm], family, sense)
        case ["left", int(firm), str(family)]:
            return case.plans[firm].words.rules[family][1]
        case ["sum", int(k)]:
            return case.main.goals[k].meaning
        case ["category" | "type", str(name)]:
            return name
        case ["items", [*names]]:
            return JOIN.join(item(case, name) for name in names)
        case ["scope", []]:
            return ONCE
        case ["scope", str(family)]:
            spec = case.main.spec
            words = scope_words(spec, spec.family(family)).removesuffix(": ")
            return words.replace("for each", "once for each", 1) or ONCE
        case ["scope", [*names]]:
            found = [case.plans[int(name[0])].full.set(name[2:]).one for name in names]
            return f"once for {joined([f'each {one}' for one in found])}"
    raise ValueError(claim)


def item(case: Case, name: str) -> str:
    """An item of a list as it reads; raises KeyError, IndexError or ValueError."""
    firm, kind, rest = name.split(":")
    spec = case.plans[int(firm)].full
    match kind:
        case "set":
            return spec.set(rest).one
        case "parameter":
            return spec.parameter(rest).meaning
        case "group":
            return decided(spec.group(rest)).removeprefix("the ")
        case "none":
            return NONE
    raise ValueError(name)
