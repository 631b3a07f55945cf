"""What the agent reads: the paper's templates (004, B.2, I.2.1), how to answer, the state (D.1).

Silently wrong models, whole programs, files, and the work of an agent have prompts of their own.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ordojo.benchmarks.or_debug.perform import Workbench, is_large, slack_lines
from ordojo.benchmarks.or_debug.rewritten import Rewritten
from ordojo.benchmarks.or_debug.schema import Debugging, OrDebugOptions
from ordojo.compat.capture import Captured
from ordojo.core.benchmark import Errand
from ordojo.core.environment import Message
from ordojo.core.instance import Instance
from ordojo.milp.algebra import number
from ordojo.milp.files import lp_text
from ordojo.sandbox import ProgramOutcome
from ordojo.solvers.answers import Status

BODY = "Problem: {problem_nl}\nCode: {code}\nStatus: INFEASIBLE\nIIS: {iis_constraints}"
"""The part that the three templates of B.2 share."""

TEMPLATES: Mapping[str, tuple[str, str]] = {
    "baseline": (
        "You are an OR debugging assistant. Given an infeasible linear program, analyze the IIS "
        "and suggest fixes to restore feasibility.",
        "Provide your diagnosis and suggested action.",
    ),
    "cot": (
        "You are an OR debugging assistant. Follow this reasoning process:\n"
        "1. ANALYZE: Examine each IIS constraint's role in the problem formulation\n"
        "2. IDENTIFY: Determine the root cause constraint causing infeasibility\n"
        "3. PROPOSE: Suggest a minimal fix that preserves problem semantics\n"
        "4. VERIFY: Explain why the fix resolves the conflict",
        "",
    ),
    "workflow": (
        "You are an expert OR debugger. Your task is:\n"
        "1. Always get the IIS first\n"
        "2. Identify the single most restrictive constraint in the IIS\n"
        "3. Apply minimal relaxation (prefer relax over drop when possible)\n"
        "4. Preserve original problem semantics",
        "",
    ),
    "zero-shot-cot": (
        "You are an OR debugging assistant. Given an infeasible linear program, analyze the IIS "
        "and suggest fixes to restore feasibility.",
        "Let's think step by step about how to debug this infeasible model.",
    ),
}
"""What stands before the problem, and after it: B.2's prompts, lines joined.

"zero-shot-cot" is the baseline that ends as I.2.1 says.
"""

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


def body(problem: Debugging, code: str, iis: Sequence[str]) -> str:
    """The part that is shared, filled: `code` is the model's source, `iis` what GET_IIS shows."""
    return BODY.format(
        problem_nl=problem.text, code=f"\n{code.strip()}", iis_constraints=named(iis)
    )


NAMED = 60
"""Names of an IIS that are listed: the paper's have at most 12."""


def named(iis: Sequence[str]) -> str:
    """An IIS as the paper prints it (D.10): ['c0', 'c1']."""
    more = f", and {len(iis) - NAMED} more" if len(iis) > NAMED else ""
    return "[" + ", ".join(f"'{name}'" for name in iis[:NAMED]) + more + "]"


def opening(options: OrDebugOptions, shown: str, examples: str = "") -> tuple[Message, ...]:
    """The first messages: how to answer, then examples and the template of B.2.

    `shown` is the `body`, or under history="state" the eight-part state (D.1) as text, from
    "Problem:" on; `examples` is what `examples.shown` gives (solved cases, "" for none).
    """
    # What all instances share comes first, so that a prefix cache serves it.
    head, end = TEMPLATES[options.prompt]
    aim = AIM.format(steps=options.max_steps, end=ENDS[options.end])
    end = f"\n{end}" if end else ""
    before = f"{examples.strip()}\n\n" if examples else ""
    return (
        Message("system", f"{ACTIONS}\n\n{aim}\n\n{FORMAT}"),
        Message("user", f"{before}{head}\n{shown.strip()}{end}"),
    )


class RepairState(NamedTuple):
    """Problem description, code, solver status, IIS log, slacks, bounds, history, step counter.

    `slacks` and `bounds` hold what the last CHECK_SLACK and CHECK_BOUND said of the model as it
    stands, empty before. `history` has one line an action; `step` counts steps, `limit` is the
    most there may be. `solution` stands in the place of the IIS where there is an optimum to show.
    """

    problem: str
    code: str
    status: str
    iis: tuple[str, ...]
    slacks: str
    bounds: str
    history: tuple[str, ...]
    step: int
    limit: int
    solution: str

    def __str__(self) -> str:
        """The parts in their order; those not asked for yet are left out."""
        lines = "\n".join(f"{place}. {line}" for place, line in enumerate(self.history, 1))
        parts = (
            f"Problem: {self.problem}\nCode:\n{self.code.strip()}\nStatus: {self.status}",
            self.solution or f"IIS: {named(self.iis)}",
            self.slacks and f"Slacks:\n{self.slacks}",
            self.bounds and f"Bounds:\n{self.bounds}",
            lines and f"History:\n{lines}",
            f"Step: {self.step} of {self.limit}",
        )
        return "\n".join(filter(None, parts))


SILENT_AIM = """\
The model solves, and is wrong: in one place it departs from the problem's description, so that \
its optimum is not the true one. Find that place and mend it, so that the model says what the \
description says; a model that reaches the same number in another way is still wrong. A rule that \
the model lacks is written into the empty row, REWRITE(spare, expression). You have {steps} \
actions; the work is done when you submit."""

SILENT_FORMAT = """\
Think first if you like. End your answer with two lines, and nothing after them:
Diagnosis: the names of what is wrong, separated by commas
Action: one action, as in RELAX(r3, 30)"""

SILENT_HEAD = "You are an expert in operations research who checks a model against its description."


def silent_messages(options: OrDebugOptions, state: str) -> tuple[Message, ...]:
    """Messages that stand alone; `state` is the eight-part state as text."""
    aim = SILENT_AIM.format(steps=options.max_steps)
    return (
        Message("system", f"{ACTIONS}\n\n{aim}\n\n{SILENT_FORMAT}"),
        Message("user", f"{SILENT_HEAD}\n{state.strip()}"),
    )


DEAREST = 12
"""Variables of a large model's plan that are shown."""


def solution_text(bench: Workbench, large: bool = False) -> str:
    """The optimum with its binding rows and its plan; "" where there is none.

    Of a `large` model the variables that add most to the goal.
    """
    solution, model = bench.solution, bench.model
    if bench.status != Status.OPTIMAL or solution.x is None or solution.activity is None:
        return ""
    optimum = f"Optimum: {number(float(f'{bench.optimum or 0.0:.10g}'))}"
    if large:
        parts = model.objective * solution.x
        most = [
            f"{model.col_names[j]} = {number(round(float(solution.x[j]), 6))} ({parts[j]:.6g})"
            for j in np.argsort(-np.abs(parts), kind="stable")[:DEAREST].tolist()
        ]
        return f"{optimum}\nMost of it: {', '.join(most)}"
    binding = [
        line.partition(":")[0].strip()
        for line in slack_lines(model, solution.activity)
        if ": binding" in line
    ]
    plan = [
        f"{name} = {number(round(value, 6) + 0.0)}"
        for name, value in zip(model.col_names, solution.x.tolist(), strict=True)
    ]
    return "\n".join(
        [optimum, f"Binding rows: {', '.join(binding) or 'none'}", f"Plan: {', '.join(plan)}"]
    )


WHOLE = "Write the whole program anew"
"""By this phrase in the first message a policy knows that programs are asked for."""

PROGRAM_TASK = """\
You repair a gurobipy program whose model is infeasible. Somewhere the model departs from the \
problem's description. {whole}, corrected, so that its model says what the description says: the \
optimum is compared with that of the right model, and the model itself is, too.
Keep the names of variables and constraints: what you changed is seen by them. The program is run \
as it stands, without files or a network; of the models that it solves the last one counts. You \
have {programs}; the work is done as soon as that model has an optimal solution."""

PROGRAM_FORMAT = """\
Think first if you like. Then answer with one line and one block of code:
Diagnosis: the names of the constraints that contradict each other, separated by commas
```python
the whole program
```"""

PROGRAM_ASK = f"{WHOLE}, corrected, in one block of code."

FILE = "Write the whole model anew as an LP file"
"""By this phrase in the first message a policy knows that files are asked for."""

FILE_TASK = """\
You repair a model of linear rows. {fault} Somewhere it departs from the problem's description. \
{whole}, corrected, so that it says what the description says: its optimum is compared with that \
of the right model, and the model itself is, too. Keep the names of variables and constraints: \
what you changed is seen by them. You have {files}; the work is done as soon as the model has an \
optimal solution."""

FAULTS = {
    False: "It is infeasible.",
    True: "It solves, and its optimum is not the true one; a model that reaches the true number in "
    "another way is still wrong.",
}
"""What is wrong with a model that solves, or does not."""

FILE_FORMAT = """\
Think first if you like. Then answer with one line and one block of code:
Diagnosis: the names of what is wrong, separated by commas
```lp
the whole model
```"""

FILE_ASK = f"{FILE}, corrected, in one block of code."

_PATH = re.compile(r'File "[^"\n]*/(program\.py)"')
_LINES, _LONGEST = 6, 2000
"""Last lines of an error that are shown, and their characters: chosen without a fit. An exception's
place and message are in them, and a flood of output costs no turn's room."""


def program_opening(
    problem: Debugging, options: OrDebugOptions, iis: Sequence[str]
) -> tuple[Message, ...]:
    """The first messages: the task, and the description, sabotaged source, status and IIS."""
    task = PROGRAM_TASK.format(whole=WHOLE, programs=_count(options, "program"))
    return (
        Message("system", f"{task}\n\n{PROGRAM_FORMAT}"),
        Message("user", f"{body(problem, problem.code, iis)}\n\n{PROGRAM_ASK}"),
    )


def file_opening(problem: Debugging, options: OrDebugOptions, found: str) -> tuple[Message, ...]:
    """The first messages where an LP file is asked for; `found` says what the solver found."""
    fault, files = FAULTS[problem.is_silent], _count(options, "file")
    task = FILE_TASK.format(whole=FILE, fault=fault, files=files)
    shown = f"Problem: {problem.text}\nModel:\n{lp_text(problem.model)}{found}"
    return Message("system", f"{task}\n\n{FILE_FORMAT}"), Message("user", f"{shown}\n\n{FILE_ASK}")


def _count(options: OrDebugOptions, word: str) -> str:
    return f"one {word}" if options.max_steps == 1 else f"{options.max_steps} {word}s"


def feedback(taken: Rewritten, status: Status, iis: Sequence[str]) -> str:
    """What came of a reply: what is said of it, its exception, the status, the IIS by names."""
    lines = [taken.said] if taken.said else []
    if taken.run is not None and (error := last_lines(taken.run)):
        lines.append(f"The program's exception:\n{error}")
    if not taken.reason:
        lines.append(f"Status: {status.value}")
        if iis:
            lines.append(f"IIS: {named(iis)}")
    return "\n".join(lines)


def last_lines(found: Captured) -> str:
    """The end of a program's traceback, without the folder that it ran in; "" without any."""
    if found.execution.outcome not in (ProgramOutcome.RAISED, ProgramOutcome.SYNTAX_ERROR):
        return ""
    text = found.execution.traceback.strip() or found.failure
    lines = _PATH.sub(r'File "\1"', text).split("\n")[-_LINES:]
    return "\n".join(lines)[-_LONGEST:]


ANSWER = "repaired.lp"
"""The file that an agent leaves."""

BRIEF = """\
You repair a model of linear rows. {fault} Somewhere it departs from the problem's description.

These files are in your working folder:
{files}

Write the corrected model to `repaired.lp`, in LP format, so that it says what the description \
says. That file is what is judged: its optimum is compared with that of the right model, and the \
model itself is, too, so that a model which solves but forbids or allows other plans is wrong. \
Keep the names of variables and constraints. When the file is as it should be, submit, and name \
what was wrong: constraints by their names, a bound of x as x.lb or x.ub, its type as x.type."""

_SAID = (
    "- `description.md`: the problem's description\n- `model.lp`: the model",
    "\n- `model.py`: the same model as a gurobipy program",
)


def _brief(instance: Instance[Debugging]) -> str:
    """What an agent is told."""
    problem = instance.problem
    files = _SAID[0] if is_large(problem) else "".join(_SAID)
    return BRIEF.format(fault=FAULTS[problem.is_silent], files=files)


def _files(instance: Instance[Debugging]) -> Mapping[str, str]:
    """What lies in an agent's folder."""
    problem = instance.problem
    found = {"README.md": _brief(instance), "description.md": problem.text}
    found["model.lp"] = lp_text(problem.model)
    return found if is_large(problem) else {**found, "model.py": problem.code}


_FIGURES = ("rr", "no_drift", "op", "drift", "da", "tokens_per_success")
_NAMED = "diagnosis", "The names of what was wrong, separated by commas."
_LP = {"answer": "lp", "max_steps": "1"}
ERRAND = Errand(_LP, _brief, _files, ANSWER, "lp", _FIGURES, *_NAMED)
