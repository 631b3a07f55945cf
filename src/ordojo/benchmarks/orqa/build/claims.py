"""What an option claims, as data, and how it reads.

A claim is a list: ["goal", k], ["rule", family, k] and ["left", k] point into the story (k < 0:
a true text); ["category", name], ["type", name]; ["items", [...]] with items such as "set:I",
"parameter:weight", "group:hired", "extra:0", "side:1", "none:"; ["scope", ["I", "extra:0"]].
"""

from collections.abc import Sequence
from typing import Any

from ordojo.benchmarks.orqa.build.context import decided, filled, plural
from ordojo.benchmarks.orqa.build.recipe import Case
from ordojo.benchmarks.orqa.build.story import False_, Goal
from ordojo.core.errors import DataError
from ordojo.problems.words import joined, scope_words

Claim = Sequence[Any]

NONE = "none of the given figures"
JOIN = "; "
ONCE = "once only, for everything together"

QUESTIONS: dict[str, tuple[str, ...]] = {
    "Q1": (
        "What is the objective of this optimization problem?",
        "Which of these states what the problem optimizes?",
    ),
    "Q2": (
        "What does the constraint on {topic} say?",
        "Which of these is the content of the constraint on {topic}?",
    ),
    "Q3": (
        "To which category of optimization problems does this one belong?",
        "Which class of problems known in operations research is this one of?",
    ),
    "Q4": (
        "What is the narrowest type of optimization model that fits this problem?",
        "Which type of optimization model, the most specific one that applies, does this problem "
        "lead to?",
    ),
    "Q5": (
        "Which option names nothing but sets of the model, kinds of elements that its decisions, "
        "figures and constraints are indexed by?",
        "Which option consists of index sets of the optimization model only?",
    ),
    "Q6": (
        "Which option names nothing but decisions of the optimization model?",
        "Which option consists of decision variables of this problem only?",
    ),
    "Q7": (
        "Which of these constraints does a correct model of the problem need?",
        "Which of these has to be a constraint of the optimization model?",
    ),
    "Q8": (
        "Which option names nothing but given figures that appear in the objective?",
        "Which option consists only of data by which the objective is computed from the decisions?",
    ),
    "Q9": (
        "Which option names nothing but decisions that appear in the objective as it is worded?",
        "Which option consists only of decision variables that the stated objective contains?",
    ),
    "Q10": (
        "Bring all decisions in the constraint on {topic} to its left-hand side. What does this "
        "side then stand for?",
        "With all decision variables on the left, what is the meaning of the left-hand side of the "
        "constraint on {topic}?",
    ),
    "Q11": (
        "For which elements is the constraint on {topic} stated one by one?",
        "How often does the model need the constraint on {topic}?",
    ),
}
"""Our phrasings; the published set's are others."""


def ask(case: Case, kind: str, phrasing: int, about: str) -> str:
    """The question of a type; `about` is the family that it is about, if any."""
    topic = case.story.rules[about].topic if about else ""
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
    story = case.story
    match claim:
        case ["goal", int(k)]:
            return story.goal[k] if k < 0 else goals(case)[k].text
        case ["rule", str(family), int(k)]:
            rule = story.rules[family]
            return filled(case, rule.text[k] if k < 0 else rule.false[k].text)
        case ["left", int(k)]:
            return filled(case, story.lefts[k].text)
        case ["category" | "type", str(name)]:
            return name
        case ["items", [*names]]:
            return JOIN.join(item(case, name) for name in names)
        case ["scope", []]:
            return ONCE
        case ["scope", str(family)]:
            return (
                scope_words(case.spec, case.spec.family(family))
                .replace("for each", "once for each", 1)
                .removesuffix(": ")
                or ONCE
            )
        case ["scope", [*names]]:
            return f"once for {joined([f'each {_element(case, name)}' for name in names])}"
    raise ValueError(claim)


def item(case: Case, name: str) -> str:
    """An item of a list as it reads; raises KeyError, IndexError or ValueError."""
    kind, _, rest = name.partition(":")
    match kind:
        case "set":
            return case.spec.set(rest).many
        case "parameter":
            return case.spec.parameter(rest).meaning
        case "group":
            return decided(case.spec.group(rest)).removeprefix("the ")
        case "extra":
            return plural(case.story.extras[int(rest)])
        case "side":
            return case.story.sides[int(rest)]
        case "none":
            return NONE
    raise ValueError(name)


def _element(case: Case, name: str) -> str:
    kind, _, rest = name.partition(":")
    return case.story.extras[int(rest)] if kind == "extra" else case.spec.set(name).one


def goals(case: Case) -> tuple[Goal, ...]:
    """The false objectives: those of the story, and the true one turned around."""
    true = case.spec.objective
    sense = "minimize" if true.sense == "maximize" else "maximize"
    turned = Goal(sense, true.rule, f"{sense} {true.meaning}")
    there = {(goal.sense, goal.rule) for goal in case.story.goals}
    return (*case.story.goals, *([] if (sense, true.rule) in there else [turned]))


def false_rule(case: Case, family: str, place: int) -> tuple[str, str]:
    """Scope and rule of a false constraint."""
    one: False_ = case.story.rules[family].false[place]
    return case.spec.family(family).scope if one.scope is None else one.scope, one.rule
