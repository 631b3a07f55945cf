"""What a sample's page tells of a program: how it ended, and the right one beside it."""

import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from ordojo.benchmarks.nl2opt.schema import WordProblem
from ordojo.core.instance import Instance
from ordojo.core.panels import Listing, Story
from ordojo.core.records import SampleRecord

LINES = 400
"""Lines of a program, or of a reference model, that are shown."""

DIFFERS = "first difference"

_PREAMBLE = re.compile(r"\s*(import\b|from\b|\w+\s*=\s*[\w.]*Model\()")


def story(record: SampleRecord, instance: Instance[WordProblem] | None) -> Story | None:
    """How the last program ended, with its output, beside the reference where there is one."""
    if not record.episode.turns:
        return None
    info: Mapping[str, Any] = record.episode.turns[-1].info
    program = info.get("program")
    if not program:
        return Story(f"No program was run: {info.get('program_problem') or 'there is none'}.")
    run, solves = info.get("execution") or {}, info.get("solves") or []
    said = [_ended(run, solves), f"The right answer is {record.gold}."]
    compared = info.get("equivalence")
    if compared and compared.get("detail"):
        words = {"equal": "Its model is the reference's", "different": "Its model is another one"}
        begin = words.get(compared["answer"], "Whether the models are equal is not known")
        said.append(f"{begin}: {compared['detail']}.")
    reference = instance.problem.program if instance is not None else ""
    panels = _output(run)
    if reference.strip():
        panels.insert(0, beside(program, reference))
    elif instance is not None and (file := instance.problem.reference) is not None:
        panels.insert(0, _reference(file.place.read_text("utf-8", errors="replace")))
    return Story(" ".join(said), panels)


def _ended(run: Mapping[str, Any], solves: Sequence[Mapping[str, Any]]) -> str:
    outcome = run.get("outcome", "")
    if outcome != "finished":
        why = " ".join(str(run.get(key) or "") for key in ("exception", "message")).strip()
        return f"The program did not come to its end ({outcome}){': ' if why else ''}{why}."
    if not solves:
        return "The program came to its end without solving a model."
    last = solves[-1]
    size = f"{last.get('rows')} rows and {last.get('columns')} columns"
    if last.get("ending") == "optimal" and last.get("objective") is not None:
        return f"The program solved a model of {size}; its optimum is {last['objective']:,.8g}."
    return f"The program solved a model of {size}, which ended {last.get('ending')}."


def beside(program: str, reference: str) -> Listing:
    """Two programs line by line, alike lines side by side, and the first that differs marked.

    Blank lines, comments and indentation are no difference; imports and the model's own name may be
    one, and are not marked.
    """
    ours, right = ([x for x in text.splitlines() if _said(x)] for text in (program, reference))
    one, other = (list(map(_said, lines)) for lines in (ours, right))
    rows: list[tuple[str, str]] = []
    first = -1
    for what, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        for k in range(max(b - a, d - c)):
            pair = (ours[a + k] if a + k < b else "", right[c + k] if c + k < d else "")
            if what != "equal" and first < 0 and any(x and not _PREAMBLE.match(x) for x in pair):
                first = len(rows)
            rows.append(pair)
    note = "" if first >= 0 else "The two programs say the same, line by line."
    if len(rows) > LINES:
        note = f"{note} The first {LINES} of {len(rows)} lines are shown.".strip()
    marks = {first: DIFFERS} if 0 <= first < LINES else {}
    names = ["the program", "a right program"]
    return Listing("The program beside the reference", names, rows[:LINES], marks, note, code=True)


def _said(line: str) -> str:
    text = line.strip()
    return "" if text.startswith("#") else text


def _reference(text: str) -> Listing:
    lines = text.splitlines()
    note = f"The first {LINES} of {len(lines)} lines are shown." if len(lines) > LINES else ""
    return Listing("The reference model", ["LP file"], [[x] for x in lines[:LINES]], note=note)


_OUTPUTS = (
    ("What the program printed", "stdout"),
    ("Its error output", "stderr"),
    ("The solver's log", "log"),
)


def _output(run: Mapping[str, Any]) -> list[Listing]:
    found = []
    for name, key in _OUTPUTS:
        lines = str(run.get(key) or "").strip().splitlines()
        if lines:
            note = (
                f"The last {LINES} of {len(lines)} lines are shown." if len(lines) > LINES else ""
            )
            found.append(Listing(name, [key], [[line] for line in lines[-LINES:]], note=note))
    return found
