"""What the agent reads: the paper's templates (004, B.2, I.2.1), and how to answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ordojo.benchmarks.or_debug.schema import Debugging, OrDebugOptions
from ordojo.core.environment import Message
from ordojo.core.instance import Instance


@dataclass(frozen=True)
class PromptTemplate:
    """What stands before the problem, and after it."""

    head: str
    end: str = ""


BODY = "Problem: {problem_nl}\nCode: {code}\nStatus: INFEASIBLE\nIIS: {iis_constraints}"
"""The part that the three templates of B.2 share."""

TEMPLATES: Mapping[str, PromptTemplate] = {
    "baseline": PromptTemplate(
        "You are an OR debugging assistant. Given an infeasible linear program, analyze the IIS "
        "and suggest fixes to restore feasibility.",
        "Provide your diagnosis and suggested action.",
    ),
    "cot": PromptTemplate(
        "You are an OR debugging assistant. Follow this reasoning process:\n"
        "1. ANALYZE: Examine each IIS constraint's role in the problem formulation\n"
        "2. IDENTIFY: Determine the root cause constraint causing infeasibility\n"
        "3. PROPOSE: Suggest a minimal fix that preserves problem semantics\n"
        "4. VERIFY: Explain why the fix resolves the conflict"
    ),
    "workflow": PromptTemplate(
        "You are an expert OR debugger. Your task is:\n"
        "1. Always get the IIS first\n"
        "2. Identify the single most restrictive constraint in the IIS\n"
        "3. Apply minimal relaxation (prefer relax over drop when possible)\n"
        "4. Preserve original problem semantics"
    ),
    "zero-shot-cot": PromptTemplate(
        "You are an OR debugging assistant. Given an infeasible linear program, analyze the IIS "
        "and suggest fixes to restore feasibility.",
        "Let's think step by step about how to debug this infeasible model.",
    ),
}
"""B.2's prompts, lines joined; "zero-shot-cot" is the baseline that ends as I.2.1 says."""

ACTIONS = """\
You act on the model, one action a turn, and see each time what came of it. The actions:
- GET_IIS(): an irreducible infeasible subsystem of the model as it now stands
- CHECK_SLACK(c): the slack of constraint c; CHECK_SLACK() shows all
- CHECK_BOUND(x): the bounds and the type of variable x; CHECK_BOUND() shows all
- RELAX(c, delta): add delta to the right-hand side of c; a negative delta loosens a >= constraint
- DROP(c): take constraint c out
- REWRITE(c, expression): put another constraint in its place, as in REWRITE(c, 2*x + 3*y <= 100)
- RESTART(): go back to the model as you first saw it
- SUBMIT(): hand the model in as it stands
A bound is named x.lb or x.ub: RELAX(x.ub, 10), DROP(x.lb), REWRITE(x.ub, 40). \
A type is changed with REWRITE(x.type, INTEGER), BINARY or CONTINUOUS."""

AIM = """\
Somewhere the model departs from the problem's description. Make it solvable again, so that it \
says what the description says: its optimum is compared with that of the right model. You have \
{steps} actions; {end}."""

ENDS = {
    "optimal": "the work is done as soon as the model has an optimal solution",
    "submit": "the work is done when you submit",
}

FORMAT = """\
Think first if you like. End your answer with two lines, and nothing after them:
Diagnosis: the names of the constraints that contradict each other, separated by commas
Action: one action, as in RELAX(c, 30)"""


def opening(
    instance: Instance[Debugging],
    options: OrDebugOptions,
    code: str,
    iis: Sequence[str],
    examples: str = "",
) -> tuple[Message, ...]:
    """The first messages: how to answer, then examples and the template of B.2 filled.

    `code` is the source of the sabotaged model, `iis` the names that GET_IIS shows, `examples`
    what `retrieval.shown` gives (solved cases, "" for none).
    """
    body = BODY.format(
        problem_nl=instance.problem.text, code=f"\n{code.strip()}", iis_constraints=named(iis)
    )
    return _messages(options, body, examples)


def state_prompt(options: OrDebugOptions, state: str, examples: str = "") -> tuple[Message, ...]:
    """Messages that stand alone, under history="state".

    `state` is the eight-part state (D.1) as text, from "Problem:" on; it takes the place of the
    template's own four parts.
    """
    return _messages(options, state.strip(), examples)


NAMED = 60
"""Names of an IIS that are listed: the paper's have at most 12."""


def named(iis: Sequence[str]) -> str:
    """An IIS as the paper prints it (D.10): ['c0', 'c1']."""
    more = f", and {len(iis) - NAMED} more" if len(iis) > NAMED else ""
    return "[" + ", ".join(f"'{name}'" for name in iis[:NAMED]) + more + "]"


def _messages(options: OrDebugOptions, body: str, examples: str) -> tuple[Message, ...]:
    # What all instances share comes first, so that a prefix cache serves it.
    template = TEMPLATES[options.prompt]
    aim = AIM.format(steps=options.max_steps, end=ENDS[options.end])
    end = f"\n{template.end}" if template.end else ""
    before = f"{examples.strip()}\n\n" if examples else ""
    return (
        Message("system", f"{ACTIONS}\n\n{aim}\n\n{FORMAT}"),
        Message("user", f"{before}{template.head}\n{body}{end}"),
    )
