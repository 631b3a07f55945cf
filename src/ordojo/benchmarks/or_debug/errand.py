"""The work of an agent: a model as files, which it examines by programs and repairs in a file."""

from collections.abc import Mapping

from ordojo.benchmarks.or_debug.excerpt import is_large
from ordojo.benchmarks.or_debug.program_prompts import FAULTS
from ordojo.benchmarks.or_debug.schema import Debugging
from ordojo.core.benchmark import Errand
from ordojo.core.instance import Instance
from ordojo.milp.files import lp_text

ANSWER = "repaired.lp"

BRIEF = """\
You repair a model of linear rows. {fault} Somewhere it departs from the problem's description.

These files are in your working folder:
{files}

Write the corrected model to `repaired.lp`, in LP format, so that it says what the description \
says. That file is what is judged: its optimum is compared with that of the right model, and the \
model itself is, too, so that a model which solves but forbids or allows other plans is wrong. \
Keep the names of variables and constraints. When the file is as it should be, submit, and name \
what was wrong: constraints by their names, a bound of x as x.lb or x.ub, its type as x.type."""

_SAID = {
    "description.md": "the problem's description",
    "model.lp": "the model",
    "model.py": "the same model as a gurobipy program",
}


def brief(instance: Instance[Debugging]) -> str:
    """What the agent is told."""
    problem = instance.problem
    lines = [f"- `{name}`: {said}" for name, said in _SAID.items() if _has(problem, name)]
    return BRIEF.format(fault=FAULTS[problem.is_silent], files="\n".join(lines))


def files(instance: Instance[Debugging]) -> Mapping[str, str]:
    """What lies in its folder."""
    problem = instance.problem
    found = {"README.md": brief(instance), "description.md": problem.text}
    found["model.lp"] = lp_text(problem.model)
    return {**found, "model.py": problem.code} if _has(problem, "model.py") else found


def _has(problem: Debugging, name: str) -> bool:
    return name != "model.py" or not is_large(problem)


ERRAND = Errand(
    {"answer": "lp", "max_steps": "1"},
    brief,
    files,
    ANSWER,
    "lp",
    ("rr", "no_drift", "op", "drift", "da", "tokens_per_success"),
)
