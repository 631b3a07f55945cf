"""What an option claims, as data, and how it reads.

A claim is a list; firm 0 is the one that is asked about, 1 the one beside it. ["goal", firm, k,
sense], ["rule", firm, family, sense] and ["left", firm, family] say something of a plan,
["sum", k] what goal k of the first adds up;
["category", name], ["type", name]; ["items", [...]] with items such as "0:set:I", "1:group:hired",
"0:parameter:weight", "0:none:"; ["scope", family] or ["scope", ["0:I", "1:B"]].
"""

from collections.abc import Sequence
from typing import Any

from ordojo.benchmarks.orqa.build.case import Case
from ordojo.benchmarks.orqa.build.context import claimed, decided
from ordojo.core.errors import DataError
from ordojo.formulation.words import joined, scope_words

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
