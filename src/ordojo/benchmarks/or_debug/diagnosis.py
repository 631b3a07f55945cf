"""Reading which constraints a policy holds responsible: its "Diagnosis:" line."""

import re
from bisect import bisect_left
from collections import deque
from collections.abc import Iterator

from ordojo.benchmarks.or_debug.elements import Element, exact_element, find_element
from ordojo.milp.model import Model

_LINE = re.compile(
    r"^[ \t*_#>`•-]{0,20}(?:final )?diagnos[ei]s[*_]{0,3} ?:(?:\*{1,3}|_{1,3}(?=\s))?(.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_BULLET = re.compile(r" *(?:[-*•]|\d{1,3}[.)]) *(.*)")
# Names may hold commas, semicolons and the letters of "and": only what has blanks beside it parts.
_SEPARATOR = re.compile(
    r"\s*[,;](?:\s+(?:and\s+(?=\S))?|$)(?![^\[\]]{0,200}\])(?![^()]{0,200}\))"
    r"|\s+and\s+(?=\S)|\n",
    re.IGNORECASE,
)
_PARTED = re.compile(r"\s+(?:and\s+(?=\S))?", re.IGNORECASE)
_WORD = re.compile(r"[\w.#$-]+(?:\[[^\[\]\n]{0,99}\])?")
_LONGEST = 10_000
"""Characters of a diagnosis, of a hundred names and more."""
_MARKS, _PAIRED, _CLOSING = "\"'`*“‘", {"“": "”", "‘": "’"}, "\"'`*_)]}"
# Where a name may end: before what no name goes on with, or at the end of a word, less its marks.
_END = re.compile(r"(?![\w.\[\],#$-])|(?=[\"'`*_)\]}>.:!?“”’-]{0,6}(?:[\s,;]|$))")


def read_diagnosis(text: str, model: Model | None = None) -> tuple[str, ...]:
    """The names after the last "Diagnosis:" of a text, on its line or as a list below it.

    With the model that is spoken of, those of its elements that are named; without it the pieces of
    the list, as a person would part it.
    """
    if "iagnos" not in text and "IAGNOS" not in text:
        return ()
    found = last_match(_LINE, text)
    if found is None:
        return ()
    line = found[1].strip()
    if not line.strip(_MARKS + "_"):
        below = []
        for row in text[found.end() : found.end() + _LONGEST].lstrip("\n").split("\n"):
            bullet = _BULLET.fullmatch(row)
            if bullet is None:
                break
            below.append(bullet[1])
        line = "\n".join(below)
    return split_names(line) if model is None else name_elements(model, (line,))


def last_match(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """The last place where `pattern` occurs."""
    last = deque(pattern.finditer(text), maxlen=1)
    return last[0] if last else None


def split_names(line: str) -> tuple[str, ...]:
    """The pieces of a list in free writing: "[c1, 'c2'] and x[1,2].lb"; see `name_elements`."""
    line = line[:_LONGEST].strip()
    if line[-2:-1] in _CLOSING:
        line = line.rstrip(".")
    if line[:1] + line[-1:] in ("[]", "{}", "()") and " " in line:
        line = line[1:-1]
    names = (_unquoted(piece.strip()) for piece in _SEPARATOR.split(line))
    return tuple(name for name in names if name)


def _unquoted(name: str) -> str:
    """The name without marks that stand on both sides of it: a mark on one side is its own."""
    while len(name) > 1 and name[0] in _MARKS and name[-1] == _PAIRED.get(name[0], name[0]):
        name = name[1:-1]
    return name


def name_elements(model: Model, pieces: tuple[str, ...]) -> tuple[str, ...]:
    """The elements of `model` that the pieces of a diagnosis name, each once, in its order.

    A name is any text that `model` has as one, so the longest that fits counts, whatever it is
    made of. A piece that is none is taken as prose, of which each word that is one counts.
    """
    names: dict[str, None] = {}
    for piece in pieces:
        if found := exact_element(model, piece):
            names[found.name] = None
        else:
            names.update(dict.fromkeys(_in_prose(model, piece[:_LONGEST])))
    return tuple(names)


def _in_prose(model: Model, text: str) -> Iterator[str]:
    """The elements that a text names, from left to right."""
    longest = max(map(len, (*model.rows, *model.cols)), default=0) + len("(lower)")
    ends = [found.start() for found in _END.finditer(text)]
    at, parts = 0, [*(found.span() for found in _SEPARATOR.finditer(text)), (len(text), len(text))]
    while at < len(text):
        if parted := _PARTED.match(text, at):
            at = parted.end()
            continue
        found, end = None, at
        for end in reversed(ends[bisect_left(ends, at + 1) : bisect_left(ends, at + longest + 1)]):
            if found := exact_element(model, text[at:end]):
                break
        if found is None:
            piece = text[at : parts[bisect_left(parts, (at, at))][0]]
            found, end = _forgiven(model, piece), at + len(piece)
        word = _WORD.match(text, at)
        if found is None and word:
            found, end = find_element(model, word[0].strip(".,-")), word.end()
        if found is not None:
            yield found.name
        at = max(end, at + 1) if found or (word and text[at] != "_") else at + 1


def _forgiven(model: Model, piece: str) -> Element | None:
    """The element that a piece names if blanks and the marks around it are forgiven."""
    piece = piece.strip().strip("*_")
    return find_element(model, piece.rstrip(".")) or find_element(model, piece.strip("[](){}."))
