"""The reasoning that leads to an answer, for few-shot examples: short, from the declaration."""

from collections.abc import Sequence

from ordojo.benchmarks.orqa.build.case import BINARY, INTEGER, LINEAR, MIXED, Case
from ordojo.benchmarks.orqa.build.claims import Claim, say
from ordojo.benchmarks.orqa.build.context import decided, stated
from ordojo.formulation.algebra import uses
from ordojo.formulation.words import joined

_TYPES = {
    BINARY: "Every decision is yes or no.",
    INTEGER: "All decisions are yes or no or whole numbers, and not all are yes or no.",
    MIXED: "Some decisions are whole numbers or yes or no, others may be fractional.",
    LINEAR: "All decisions may be fractional.",
}


def reasoning(case: Case, kind: str, about: str, right: Claim) -> str:
    """What the context says on the matter, and the answer."""
    text = say(case, right)
    return f"{_facts(case, kind, about, right)} So the correct answer is: {text.rstrip('.')}."


def _facts(case: Case, kind: str, about: str, right: Claim) -> str:
    spec = case.main.spec
    goal = spec.objective
    used = uses(spec, goal.rule)
    match kind:
        case "Q1" | "Q3":
            return f"The plan has to {goal.sense} {goal.meaning}."
        case "Q2" | "Q10" | "Q11":
            return f"The context says on this: {stated(case.main, spec.family(about))}"
        case "Q4":
            return f"{_TYPES[case.kind]} Objective and constraints are linear in them."
        case "Q5":
            sets = [item.many for item in spec.sets if not item.parts]
            return f"Figures, decisions and constraints go by {_list(sets)}."
        case "Q6":
            return f"What is decided is {_list([decided(group) for group in spec.groups])}."
        case "Q7":
            return f"The context demands: {stated(case.main, spec.family(right[2]))}"
        case "Q8":
            data = [f"the {spec.parameter(name).meaning}" for name in used.parameters]
            return f"The plan has to {goal.sense} {goal.meaning}. This needs {_list(data)}."
    chosen = [decided(spec.group(name)) for name in used.groups]
    return f"The plan has to {goal.sense} {goal.meaning}. This depends on {_list(chosen)}."


def _list(parts: Sequence[str]) -> str:
    return joined(list(parts)) if parts else "no figure"
