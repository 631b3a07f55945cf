"""Where the terminal review gets its keys and texts: a keyboard, or lines of a script."""

import os
import re
from collections.abc import Mapping, Sequence
from typing import Protocol, TextIO

import click

from ordojo.core.errors import UsageError

_MARK = "=== "


class Input(Protocol):
    """Keys and texts of a reviewer; each method raises EOFError when there is no more."""

    def key(self) -> str:
        """One key."""
        ...

    def line(self, prompt: str) -> str:
        """One line of text."""
        ...

    def form(self, fields: Mapping[str, str]) -> Mapping[str, str] | None:
        """New texts for these fields, None if nothing was saved."""
        ...


class Keyboard:
    """A person at a terminal: single keys, and $VISUAL or $EDITOR for texts if one is set."""

    def key(self) -> str:
        """One key press; Ctrl-C and Ctrl-D end the session like `q`."""
        try:
            return click.getchar()
        except KeyboardInterrupt:
            raise EOFError from None

    def line(self, prompt: str) -> str:
        """One line, with a prompt."""
        try:
            answer: str = click.prompt(prompt, default="", show_default=False)
        except click.Abort:
            raise EOFError from None
        return answer

    def form(self, fields: Mapping[str, str]) -> Mapping[str, str] | None:
        """All fields in the editor, or one by one where none is set."""
        if not (os.environ.get("VISUAL") or os.environ.get("EDITOR")):
            return field_by_field(self, fields)
        try:
            text = click.edit("".join(f"{_MARK}{k}\n{v}\n" for k, v in fields.items()))
        except click.ClickException as error:
            raise UsageError(f"the editor failed: {error.message}") from None
        return None if text is None else read_form(text, fields)


class Script:
    """Lines of a stream in place of keys: what a pipe, a test or a recording sends."""

    def __init__(self, stream: TextIO) -> None:
        """Read from `stream`, one key or text a line."""
        self._stream = stream

    def key(self) -> str:
        """The next line."""
        return self.line("")

    def line(self, prompt: str) -> str:
        """The next line."""
        text = self._stream.readline()
        if not text:
            raise EOFError
        return text.rstrip("\n")

    def form(self, fields: Mapping[str, str]) -> Mapping[str, str] | None:
        """One line a field, in order; an empty one keeps the field."""
        return field_by_field(self, fields)


def field_by_field(source: Input, fields: Mapping[str, str]) -> Mapping[str, str]:
    """Ask for each field; an empty line keeps it."""
    return {name: source.line(f"{name} (Enter keeps it)") or old for name, old in fields.items()}


def read_form(text: str, fields: Mapping[str, str]) -> Mapping[str, str]:
    """The fields of an edited form; UsageError if its heading lines are not all there once."""
    found: dict[str, list[str]] = {}
    body: list[str] = []
    for row in text.splitlines():
        name = row.removeprefix(_MARK).strip()
        if row.startswith(_MARK) and name in fields and name not in found:
            body = found[name] = []
        else:
            body.append(row)
    if list(found) != list(fields):
        raise UsageError(f"keep the lines that begin with '{_MARK.strip()}': nothing was changed")
    return {name: "\n".join(rows).strip() for name, rows in found.items()}


_KINDS = (
    re.compile(r"[#\s]*step\s+\d+\b\s*[:.)–—-]?\s*", re.IGNORECASE),
    re.compile(r"\(?\d{1,2}[.):]\)?\s+"),
    re.compile(r"[-*•–]\s+"),
)
"""Markers of steps, the plainest first: "Step 2:", "2.", "-"."""

_INLINE_STEP = re.compile(r"(?<=[.!?;])[ \t]+(?=step\s+\d+\s*[:.)–—-])", re.IGNORECASE)
_END = re.compile(r"[.!?][\"')\]*_]*\s+(?=[\"'(\[*_]*[A-Z0-9])")
_NO_END = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|eq|fig|no|nr|dr|mr|mrs|ms|st|approx)|(?:^|[\s(])\d+|^\W*[A-Z])\.$",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
_FEW_WORDS = 2


def split_steps(text: str) -> Sequence[str]:
    """The steps of a reasoning, none if it is empty; no word is lost except the markers.

    Lines marked "Step 2:", "2." or "-" are steps, with what follows up to the next; a conclusion
    set apart after the last is its own. Unmarked text is cut into sentences. An announcement
    ("We consider:") goes with what it announces, and a fragment of one or two words with its
    neighbour.
    """
    plain = text.replace("**", "").strip()
    lines = _INLINE_STEP.sub("\n", plain).split("\n")
    for marker in _KINDS:
        if sum(bool(marker.match(line.strip())) for line in lines) > 1:
            return _announced(_marked(lines, marker))
    return _announced(_sentences(lines))


def _marked(lines: Sequence[str], marker: re.Pattern[str]) -> list[str]:
    starts = [i for i, line in enumerate(lines) if marker.match(line.strip())]
    blocks = [list(lines[a:b]) for a, b in zip(starts, [*starts[1:], len(lines)], strict=True)]
    rest: list[str] = []
    # Paragraphs below every heading belong to it; one below the last alone concludes.
    if not any(_apart(block) for block in blocks[:-1]):
        cut = _apart(blocks[-1]) or len(blocks[-1])
        blocks[-1], rest = blocks[-1][:cut], blocks[-1][cut:]
    steps = [" ".join([marker.sub("", b[0].strip(), count=1), *b[1:]]) for b in blocks]
    return [*_sentences(lines[: starts[0]]), *steps, *_sentences(rest)]


def _apart(block: Sequence[str]) -> int:
    """Where text begins after a blank line, 0 if nowhere."""
    return next(
        (i for i in range(1, len(block)) if block[i].strip() and not block[i - 1].strip()), 0
    )


def _sentences(lines: Sequence[str]) -> list[str]:
    found: list[str] = []
    for text in _joined(lines):
        start = 0
        for end in [*_END.finditer(text), None]:
            stop = end.end() if end else len(text)
            if end and _NO_END.search(text[start : end.start() + 1]):
                continue
            if found and (_short(text[start:stop]) or _short(found[-1])):
                found[-1] = f"{found[-1]} {text[start:stop]}"
            else:
                found.append(text[start:stop])
            start = stop
    return found


def _short(text: str) -> bool:
    return len(_WORD.findall(text)) <= _FEW_WORDS


def _joined(lines: Sequence[str]) -> list[str]:
    """Lines, each with those that go on with it: they begin in lower case."""
    found: list[str] = []
    before = ""
    for line in (line.strip() for line in lines):
        if before and line[:1].islower():
            found[-1] += " " + line
        elif line:
            found.append(line)
        before = line
    return found


def _announced(steps: Sequence[str]) -> Sequence[str]:
    """Put what ends in a colon together with the step after it."""
    found: list[str] = []
    for step in filter(None, (" ".join(step.split()) for step in steps)):
        if found and found[-1].endswith(":"):
            found[-1] += " " + step
        else:
            found.append(step)
    return found
