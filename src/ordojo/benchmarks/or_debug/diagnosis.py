"""Reading which constraints a policy holds responsible: its "Diagnosis:" line."""

import re
from collections import deque

from ordojo.benchmarks.or_debug.elements import find_element
from ordojo.milp.model import Model

_LINE = re.compile(
    r"^[ \t*_#>`•-]{0,20}(?:final )?diagnos[ei]s[*_]{0,3} ?:[*_]{0,3}(.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_BULLET = re.compile(r" *(?:[-*•]|\d{1,3}[.)]) *(.*)")
_SEPARATOR = re.compile(r"[,;](?![^\[\]]*\])|\band\b|\n", re.IGNORECASE)
_WORD = re.compile(r"[\w.\[\],#$-]+")
_MOST, _LONGEST = 1000, 10_000
_MARKS = " \t\r\"'`*"


def read_diagnosis(text: str) -> tuple[str, ...]:
    """The names after the last "Diagnosis:" of a text, on its line or as a list below it."""
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
    return split_names(line)


def last_match(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """The last place where `pattern` occurs."""
    last = deque(pattern.finditer(text), maxlen=1)
    return last[0] if last else None


def split_names(line: str) -> tuple[str, ...]:
    """The names of a list in free writing: "[c1, 'c2'] and x[1,2].lb"."""
    line = line[:_LONGEST].strip().rstrip(".")
    if line[:1] + line[-1:] in ("[]", "{}", "()"):
        line = line[1:-1]
    names = (piece.strip(_MARKS) for piece in _SEPARATOR.split(line))
    return tuple(name for name in names if name)[:_MOST]


def name_elements(model: Model, pieces: tuple[str, ...]) -> tuple[str, ...]:
    """The elements of `model` that a diagnosis names, each once, in its order.

    A piece that is no name is taken as prose, of which each word that is one counts.
    """
    names: dict[str, None] = {}
    for piece in pieces:
        found = find_element(model, piece)
        if found is not None:
            names[found.name] = None
            continue
        for word in _WORD.findall(piece):
            bare = word.strip(".,-")
            inner = find_element(model, bare) or find_element(model, bare.strip("_"))
            if inner is not None:
                names[inner.name] = None
    return tuple(names)
