"""What the agent reads where it writes the whole model anew: our own prompts, and the feedback."""

import re
from collections.abc import Sequence

from ordojo.benchmarks.or_debug.prompts import BODY, named
from ordojo.benchmarks.or_debug.rewritten import Rewritten
from ordojo.benchmarks.or_debug.schema import Debugging, OrDebugOptions
from ordojo.compat.capture import Captured
from ordojo.core.environment import Message
from ordojo.core.instance import Instance
from ordojo.milp.files import lp_text
from ordojo.sandbox import ProgramOutcome
from ordojo.solvers.answers import Status

WHOLE = "Write the whole program anew"
"""By this phrase in the first message a policy knows that programs are asked for."""

TASK = """\
You repair a gurobipy program whose model is infeasible. Somewhere the model departs from the \
problem's description. {whole}, corrected, so that its model says what the description says: the \
optimum is compared with that of the right model, and the model itself is, too.
Keep the names of variables and constraints: what you changed is seen by them. The program is run \
as it stands, without files or a network; of the models that it solves the last one counts. You \
have {programs}; the work is done as soon as that model has an optimal solution."""

FORMAT = """\
Think first if you like. Then answer with one line and one block of code:
Diagnosis: the names of the constraints that contradict each other, separated by commas
```python
the whole program
```"""

ASK = f"{WHOLE}, corrected, in one block of code."

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


def opening(
    instance: Instance[Debugging], options: OrDebugOptions, code: str, iis: Sequence[str]
) -> tuple[Message, ...]:
    """The first messages: the task, and the description, sabotaged source, status and IIS."""
    body = BODY.format(
        problem_nl=instance.problem.text, code=f"\n{code.strip()}", iis_constraints=named(iis)
    )
    count = options.max_steps
    programs = "one program" if count == 1 else f"{count} programs"
    task = TASK.format(whole=WHOLE, programs=programs)
    return Message("system", f"{task}\n\n{FORMAT}"), Message("user", f"{body}\n\n{ASK}")


def file_opening(problem: Debugging, options: OrDebugOptions, found: str) -> tuple[Message, ...]:
    """The first messages where an LP file is asked for; `found` says what the solver found."""
    count = options.max_steps
    files = "one file" if count == 1 else f"{count} files"
    task = FILE_TASK.format(whole=FILE, fault=FAULTS[problem.is_silent], files=files)
    body = f"Problem: {problem.text}\nModel:\n{lp_text(problem.model)}{found}"
    return Message("system", f"{task}\n\n{FILE_FORMAT}"), Message("user", f"{body}\n\n{FILE_ASK}")


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
