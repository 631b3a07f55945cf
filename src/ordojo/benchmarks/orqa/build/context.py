"""The context in plain words: no symbols, no modelling terms, and every fact that is asked for."""

import re

from ordojo.benchmarks.orqa.build.recipe import FIRMS, Case, layout
from ordojo.benchmarks.orqa.build.wording import articles
from ordojo.problems.base import Rng
from ordojo.problems.spec import Family, Group, Parameter
from ordojo.problems.words import each, joined, scope_words, sentence

_ABOUT = (
    "{extras} are looked after elsewhere and need no planning.",
    "Nothing is to be planned about {extras}, which stay as they are.",
    "{extras} are there in plenty and play no part in what follows.",
)
_SIDES = (
    "The files also show {sides}, for other purposes.",
    "Other columns of the files, kept for the records only, show {sides}.",
    "{sides} are on file as well, but have no bearing on the plan.",
)
_KNOWN = ("What is known:", "The following figures are given.", "Given are these figures.")
_DECIDE = (
    "What has to be settled is this:",
    "The plan has to say the following:",
    "The following is open and up to you:",
)
_RULES = ("A plan has to respect these rules.", "These rules hold.", "Not every plan will do.")
_GOAL = (
    "Among all such plans you look for the one that would {goal}.",
    "Your task is to {goal}.",
    "What you are asked for is a plan that would {goal}.",
)
_ROLE = (
    "You are the planner of {firm}.",
    "You advise {firm} on its planning.",
    "{firm} has asked you for a plan.",
)


def context(case: Case) -> str:
    """The text of a case; its recipe decides the order of parts and their wording."""
    rng = layout(case)
    parts = {
        "known": _known(case, rng),
        "decide": _decisions(case, rng),
        "rules": _rules(case, rng),
    }
    order = [
        ("known", "decide", "rules"),
        ("decide", "known", "rules"),
        ("known", "rules", "decide"),
    ]
    shown = [parts[name] for name in order[int(rng.integers(len(order)))]]
    goal = _goal(case, rng)
    shown.insert(0 if rng.random() < 0.4 else len(shown), goal)
    return " ".join([_opening(case, rng), *shown])


def number(value: float) -> str:
    """A number as a person writes it: 12,500 or 0.125."""
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:.4g}"


def filled(case: Case, text: str) -> str:
    """The text with the numbers of scalar parameters in place of `{name}`, with their units."""

    def shown(match: re.Match[str]) -> str:
        item = case.spec.parameter(match[1])
        said = number(case.values[item.name])
        after = " ".join(text[match.end() :].split()[:2])
        return said if not item.unit or item.unit in after else f"{said} {item.unit}"

    return re.sub(r"\{(\w+)\}", shown, text)


def decided(group: Group) -> str:
    """A decision as a noun phrase: "whether a drum goes into a container", "the number of ..."."""
    if group.meaning.startswith("decision "):
        return group.meaning.removeprefix("decision ")
    return f"the {group.meaning}"


def datum(parameter: Parameter) -> str:
    """Given numbers as a noun phrase."""
    return f"the {parameter.meaning}"


def plural(noun: str) -> str:
    """The plural of a regular noun."""
    return f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2] not in "aeiou" else f"{noun}s"


def counting(case: Case) -> set[str]:
    """The parameters that are sizes of sets."""
    return {item.size for item in case.spec.sets}


def _opening(case: Case, rng: Rng) -> str:
    firm, who = FIRMS[case.recipe["firm"]], case.story.who
    head = f"{firm}, {who[0].lower()}{who[1:]},"
    scene = case.spec.scenario.replace(who, head, 1)
    base = [item for item in case.spec.sets if not item.parts]
    sizes = [(case.size(item.name), item) for item in base]
    there = joined([f"{n} {item.many if n != 1 else item.one}" for n, item in sizes])
    verb = "is" if sizes[0][0] == 1 else "are"
    extras = [plural(one) for one in case.story.extras]
    order = rng.permutation(len(extras))
    about = _pick(rng, _ABOUT, extras=joined([extras[i] for i in order]))
    role = _pick(rng, _ROLE, firm=firm)
    return f"{scene} {role} There {verb} {there}. {about}"


def _known(case: Case, rng: Rng) -> str:
    owners: dict[tuple[str, ...], list[Parameter]] = {}
    for item in case.spec.parameters:
        if item.name not in counting(case):
            owners.setdefault(item.over, []).append(item)
    said = []
    for over, items in owners.items():
        if over:
            ones = joined([f"each {case.spec.set(name).one}" for name in over])
            said.append(f"For {ones}, {joined([_with_unit(item) for item in items])}.")
        else:
            said += [
                sentence(f"{datum(item)}: {filled(case, f'{{{item.name}}}')}") for item in items
            ]
    order = rng.permutation(len(said))
    order_sides = rng.permutation(len(case.story.sides))
    sides = joined([f"the {case.story.sides[i]}" for i in order_sides])
    shown = [_pick(rng, _KNOWN), *(said[i] for i in order), _pick(rng, _SIDES, sides=sides)]
    return " ".join(shown)


def _with_unit(item: Parameter) -> str:
    unit = f" (in {item.unit})" if item.unit and item.unit not in item.meaning else ""
    return f"{datum(item)}{unit}"


def _decisions(case: Case, rng: Rng) -> str:
    order = rng.permutation(len(case.spec.groups))
    said = [_decision(case, case.spec.groups[i]) for i in order]
    return f"{_pick(rng, _DECIDE)} {' '.join(sentence(text) for text in said)}"


def _decision(case: Case, group: Group) -> str:
    words = each(case.spec, group.scope)
    note = {
        "binary": "",
        "integer": ", in whole numbers only",
        "continuous": ", where fractions are allowed",
    }[group.domain]
    unit = f" (in {group.unit})" if group.unit and group.unit not in group.meaning else ""
    upper = group.upper.partition("[")[0]
    limit = f", up to the {case.spec.parameter(upper).meaning}" if upper else ""
    return f"{words + ', ' if words else ''}{decided(group)}{unit}{note}{limit}"


def _rules(case: Case, rng: Rng) -> str:
    order = rng.permutation(len(case.spec.families))
    said = [stated(case, case.spec.families[i]) for i in order]
    return " ".join([_pick(rng, _RULES), *said])


def stated(case: Case, family: Family) -> str:
    """A family as a sentence, with the elements that it holds for."""
    text = scope_words(case.spec, family).replace(": ", ", ") + filled(case, family.meaning)
    return articles(sentence(text))


def _goal(case: Case, rng: Rng) -> str:
    goal = case.spec.objective
    return _pick(rng, _GOAL, goal=f"{goal.sense} {goal.meaning}")


def _pick(rng: Rng, frames: tuple[str, ...], **parts: str) -> str:
    text = frames[int(rng.integers(len(frames)))].format(**parts)
    return text[0].upper() + text[1:]
