"""The prompts: appendix J's four templates, one that leaves the library open, and repair turns."""

import json
import re
from functools import cache
from importlib.resources import files

from ordojo.benchmarks.nl2opt.preview import preview
from ordojo.benchmarks.nl2opt.schema import LIBRARIES, SHOWN, Nl2OptOptions, WordProblem
from ordojo.datasets.nl2opt import PREFIX

HOME = "."
"""Where programs find their data: they are run in the folder that holds it."""

_SLOT = re.compile(
    r"\[(?:Problem Description|Full Data Path|Data Preview Content|Parameters JSON|Data Files Info"
    r"|Working Directory|Data Path|Code Example|Library)\]"
)


def template_for(dataset: str, prompt: str = "auto") -> str:
    """The template's name: as asked, else as the paper chooses it for a dataset (appendix J)."""
    if prompt != "auto":
        return prompt
    if dataset.startswith(PREFIX):
        return "miplib-nl"
    name = dataset.partition("@")[0]
    return name if name in {"bench4opt", "miplib-nl", "complexor"} else "optmath"


@cache
def template(name: str) -> str:
    """A template's text, its slots in brackets."""
    return files(__package__).joinpath(f"templates/{name}.txt").read_text("utf-8").strip()


def prompt(problem: WordProblem, options: Nl2OptOptions) -> str:
    """The whole question.

    Where a template has no place for data files, they are described below the problem.
    """
    name = template_for(problem.dataset, options.prompt)
    question = problem.question
    asked = options.preview
    tokens = SHOWN if asked is None else asked
    if problem.inputs and name in {"optmath", "neutral"}:
        shown = preview(problem.inputs, problem.notes, tokens)
        question += f"\n\n# Data files (in the working directory)\n{shown}"
    path = next(iter(problem.inputs), "")
    slots = {
        "Problem Description": lambda: question,
        "Full Data Path": lambda: path or "(no data file: all numbers are in the description)",
        "Data Path": lambda: path or "(no data file: all numbers are in the description)",
        "Data Preview Content": lambda: preview(problem.inputs, problem.notes, tokens) or "(none)",
        "Parameters JSON": lambda: json.dumps(dict(problem.parameters), ensure_ascii=False),
        "Data Files Info": lambda: _described(problem, asked or 0),
        "Working Directory": lambda: HOME,
        "Code Example": lambda: _example(problem, path),
        "Library": lambda: _library(options.library),
    }
    # In one pass: what is filled in may hold brackets of its own.
    return _SLOT.sub(lambda slot: slots[slot[0][1:-1]](), template(name))


def _library(library: str) -> str:
    if library != "any":
        return library
    return f"one of {', '.join(LIBRARIES[:-1])} or {LIBRARIES[-1]}"


def _described(problem: WordProblem, tokens: int) -> str:
    """The tables of a MIPLIB-NL instance; its parameters have a place of their own."""
    tables = {name: file.place for name, file in problem.files.items()}
    return preview(tables, problem.notes, tokens) if tables else "(no data files)"


def _example(problem: WordProblem, path: str) -> str:
    """The beginning and the end of a program that reads the problem's data."""
    names = [name for name in problem.parameters if name.isidentifier()]
    reading = [
        "import json",
        "",
        f"with open({path!r}) as f:",
        "    data = json.load(f)",
        *(f"{name} = data[{name!r}]" for name in names),
        "",
    ]
    lines = [
        "import gurobipy as gp",
        "from gurobipy import GRB",
        *(reading if path else [""]),
        'model = gp.Model("problem")',
        "# Variables, objective and constraints",
        "model.optimize()",
        'print(f"optimal_value = {model.ObjVal}")',
    ]
    return "\n".join(lines)


def repair_prompt(what: str) -> str:
    """The turn that follows an answer which came to nothing, with what its program said."""
    return (
        f"Your program did not give an optimal solution.\n\n{what}\n\n"
        "Find the fault and answer with the whole corrected program."
    )
