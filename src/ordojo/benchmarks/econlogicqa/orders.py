"""Reading an order of the four letters out of a reply.

Every repetition in the patterns is bounded or simple, so that no reply costs more than its length.
"""

import re
from collections.abc import Iterator, Sequence

from ordojo.benchmarks.econlogicqa.schema import LETTERS
from ordojo.core.replies import after_thinking, plain

Order = tuple[str, ...]

_READ = 100_000
"""Characters that are read of a longer reply."""

_STRICT = re.compile(r"(?<![A-Za-z])([A-D]), ?([A-D]), ?([A-D]), ?([A-D])(?![A-Za-z])")

_SEPARATOR = r"(?:[,;|/·、<]|[-–—=]{0,2}>|[→⇒➜➔]|[-–—])"
_WORD = r"(?:then|next|finally|lastly|last|followed by|before|after that)"
_NOUN = r"(?:[Ee]vent |[Oo]ption )"
_START, _EDGE = r"(?<![A-Za-z0-9_'])", r"(?![A-Za-z0-9_'])"
_LINK = (
    rf"[.):]? ?(?:{_SEPARATOR} ?)?(?:[Aa]nd )?(?:(?i:{_WORD}),? )?(?:\(?\d[.):] ?)?{_NOUN}?[(\[]?"
)
_RUN = re.compile(
    rf"{_START}[A-D]{_EDGE}(?:{_LINK}{_START}[A-D]{_EDGE}){{3,}}"
    rf"|{_START}[A-D]{{4}}{_EDGE}"
    rf"|{_START}[a-d](?: ?(?:,|→|[-=]{{0,2}}>) ?[a-d]{_EDGE}){{3,}}"
)
_LETTER = re.compile(rf"{_START}[A-Da-d]{_EDGE}")
_ITEM = re.compile(
    r"(?:[-•+] ?)?(?:(?i:step |event |position )?\(?"
    r"(\d|1st|2nd|3rd|4th|[Ff]irst|[Ss]econd|[Tt]hird|[Ff]ourth)[.):]?,? ?[-–—:]? ?)?"
    rf"{_NOUN}?[(\[]?([A-D]){_EDGE}(?= ?(?:[.):\](,;→>–—-]|$))"
)
_NUMBERS = {"fir": 1, "sec": 2, "thi": 3, "fou": 4}
_CUE = re.compile(
    r"\b(?:answer|order|ordering|sequence|arrangement)\b"
    r"(?:[^.;!?\n]{0,50}?(?:\bis|\bare|\bbe|[:=]))?\W{0,6}$",
    re.IGNORECASE,
)
_PRAISE = re.compile(
    r"\W{0,6}(?:is|are|would be|seems)\b[^.\n]{0,40}\b(?:order|sequence|answer|correct|right)\b",
    re.IGNORECASE,
)


def read_first(text: str) -> Order | None:
    """The first comma-separated permutation of the letters (the paper: a regular expression)."""
    found = (match.groups() for match in _STRICT.finditer(text[:_READ]))
    return next((order for order in found if _is_order(order)), None)


def read_last(text: str) -> Order | None:
    """The last order in any usual spelling, for replies that reason first and answer at the end.

    On one line: "D, C, A, B", "D -> C -> A -> B", "DCAB", "1. D 2. C 3. A 4. B"; or down four
    lines, numbered or not, with or without the events' texts. A longer or shorter row of letters
    is no order, save the same four twice or more, or an order after "A:" (for "answer"). "A, B,
    C, D" in passing names the events: it counts where it is called the order or answer, or has a
    line for itself; four lettered lines in that sequence, where nothing else is said.
    """
    lines = plain(after_thinking(text)[-_READ:]).split("\n")
    found = [*_across(lines), *_numbered(lines), *_down(lines)]
    return max(found, key=lambda place_and_order: place_and_order[0])[1] if found else None


def _is_order(letters: Sequence[str]) -> bool:
    return sorted(letters) == list(LETTERS)


def _across(lines: Sequence[str]) -> Iterator[tuple[int, Order]]:
    for place, line in enumerate(lines):
        for run in _RUN.finditer(line):
            letters = tuple(letter.upper() for letter in _LETTER.findall(run[0]) or run[0])
            if len(letters) == 5 and re.match("[Aa][:.]", run[0]):
                letters = letters[1:]
            repeated = [letters[i : i + 4] for i in range(0, len(letters), 4)]
            if all(map(_is_order, repeated)) and not _in_passing(repeated[-1], line, run):
                yield place, repeated[-1]


def _in_passing(order: Order, line: str, run: re.Match[str]) -> bool:
    """Whether the letters only name the events."""
    if order != LETTERS:
        return False
    before, after = line[: run.start()], line[run.end() :]
    alone = re.search(r"\w", before + after) is None
    return not (alone or _CUE.search(before[-80:]) or _PRAISE.match(after))


def _numbered(lines: Sequence[str]) -> Iterator[tuple[int, Order]]:
    """Four numbered lines, whatever stands between them."""
    row: list[str] = []
    for place, line in enumerate(lines):
        item = _ITEM.match(line)
        if item is None or item[1] is None:
            continue
        number = _NUMBERS.get(item[1][:3].lower()) or int(item[1][0])
        row = [*(row if number > 1 else ()), item[2]]
        if len(row) != number:
            row = []
        elif number == 4 and _is_order(row):
            yield place, tuple(row)


def _down(lines: Sequence[str]) -> Iterator[tuple[int, Order]]:
    """Four lettered lines without numbers, next to each other and no more of them."""
    row: list[str] = []
    for place, line in enumerate([*lines, ""]):
        item = _ITEM.match(line)
        if item is not None and item[1] is None:
            row.append(item[2])
            continue
        if _is_order(row) and (tuple(row) != LETTERS or len(lines) == 4):
            yield place - 1, tuple(row)
        row = []
