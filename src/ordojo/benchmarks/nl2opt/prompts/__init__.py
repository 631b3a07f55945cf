"""The prompts: appendix J's four templates, one that leaves the library open, and repair turns.

Data files are shown in them within a budget of tokens: whole where they fit, else their beginning.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path

from ordojo.benchmarks.nl2opt.schema import LIBRARIES, SHOWN, Nl2OptOptions, WordProblem
from ordojo.core.canonical import Json
from ordojo.core.files import read_bytes
from ordojo.datasets.nl2opt import PREFIX

CHARACTERS_A_TOKEN = 4
"""A rule of thumb, as no tokenizer is at hand for every model."""

_LEAST = 20
"""Characters of a file that say something: with fewer its name alone is told."""


def preview(inputs: Mapping[str, Path | bytes], notes: Mapping[str, str], tokens: int) -> str:
    """Each file's name, what its source says of it, and as much of it as the budget allows.

    Names and notes are always told; with no tokens nothing else is. Small files are shown whole,
    and leave what they do not need to the others. JSON is shortened by its longest lists, other
    text by its lines; what is left out is said. Raises OSError for a file that cannot be read.
    """
    texts = {name: _text(source) for name, source in inputs.items()}
    shares = _shares({name: len(text) for name, text in texts.items()}, tokens)
    parts = []
    for name, text in texts.items():
        head = f"{name}: {notes[name]}" if notes.get(name) else name
        shown = shorten(text, shares[name]) if shares[name] >= min(_LEAST, len(text)) else ""
        parts.append(f"{head}\n{shown}" if shown else head)
    return "\n\n".join(parts)


def _text(source: Path | bytes) -> str:
    raw = source if isinstance(source, bytes) else read_bytes(source)
    return raw.decode("utf-8-sig", errors="replace").replace("\r\n", "\n").strip()


def _shares(lengths: Mapping[str, int], tokens: int) -> dict[str, int]:
    """Characters for each file: equal parts, where small files leave theirs to the rest."""
    left, shares = tokens * CHARACTERS_A_TOKEN, dict.fromkeys(lengths, 0)
    waiting = sorted(lengths, key=lambda name: lengths[name])
    for place, name in enumerate(waiting):
        shares[name] = min(lengths[name], left // (len(waiting) - place))
        left -= shares[name]
    return shares


def shorten(text: str, most: int) -> str:
    """The text, or so much of its beginning as has about `most` characters, and what is missing."""
    if len(text) <= most:
        return text
    try:
        value: Json = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict | list):
        for items in (50, 20, 10, 5, 3, 2, 1):
            short = json.dumps(_fewer(value, items), ensure_ascii=False)
            if len(short) <= most:
                return short
    return _first_lines(text, most)


def _fewer(value: Json, items: int) -> Json:
    """A JSON value with at most so many items of every list."""
    if isinstance(value, dict):
        return {key: _fewer(inner, items) for key, inner in value.items()}
    if not isinstance(value, list):
        return value
    kept = [_fewer(inner, items) for inner in value[:items]]
    return [*kept, f"... {len(value)} in all"] if len(value) > items else kept


def _first_lines(text: str, most: int) -> str:
    lines = text.split("\n")
    kept, used = 0, 0
    while kept < len(lines) and used + len(lines[kept]) + 1 <= most:
        used += len(lines[kept]) + 1
        kept += 1
    if kept:
        return "\n".join([*lines[:kept], f"... ({len(lines):,} lines in all)"])
    return f"{text[:most]} ... ({len(text):,} characters in all)"


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
