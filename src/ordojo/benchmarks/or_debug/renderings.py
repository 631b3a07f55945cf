"""Short forms of what or-debug says, for models too small to read the whole.

Pure functions of text: nothing is added that the text does not say.
Of an infeasible model a small one reads the conflict, and what the description says of it:
sentences are ranked by the words, names and figures that they share with the lines of the conflict;
a list of figures is cut down to what the conflict names and does not show already.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import sqrt

_SHORT = re.compile(r"^  (\S+): violated by (\S+)$", re.MULTILINE)
_REFUSED = re.compile(r"^That action is not possible", re.MULTILINE)
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def compact(text: str) -> str | None:
    """What "compact" shows of a state, in a few dozen tokens; None for any other text.

    The status, and of each row in the IIS its sense, "said" or "unsaid" (the description has its
    right-hand side, or not), the side, and its name, one a line; of an answer of CHECK_SLACK the
    violations.
    """
    status = STATUS.findall(text)
    return _state(text, status[-1]) if status else None


def focused(text: str) -> str | None:
    """What "focused" shows of a state, what a repair needs, in some 300 tokens.

    The status; each row in the IIS with its algebra; the bounds and types of its columns; the
    sentences of the description that have most words and numbers in common with those. A row or
    bound whose number the description does not have is marked "unsaid". Where rows take more than
    their share, the longest are shown without their terms, those that are "unsaid" last.
    """
    return focus(text) or compact(text)


def _state(text: str, status: str) -> str:
    lines = [f"{'refused ' if _REFUSED.search(text) else ''}{status}"]
    problem = PROBLEM.search(text)
    said = {plain(number) for number in _NUMBER.findall(problem[1])} if problem else set()
    rows = {name: (sense, side) for _, sense, side, name in ROW.findall(text)}
    for name in _named(text):
        if name in rows:
            sense, side = rows[name]
            lines.append(f"{sense} {'said' if plain(side) in said else 'unsaid'} {side} {name}")
        else:
            lines.append(name)
    lines += [f"violated {amount} {name}" for name, amount in _SHORT.findall(text)]
    return "\n".join(lines)


IIS = re.compile(r"^IIS: \[(.*)\]$", re.MULTILINE)
STATUS = re.compile(r"^Status: (\w+)", re.MULTILINE)
ROW = re.compile(r"^m\.addConstr\((.*) (<=|>=|==) (\S+), name=\"([^\"]+)\"\)$", re.MULTILINE)
PROBLEM = re.compile(r"^Problem: (.*?)\nCode:", re.MULTILINE | re.DOTALL)
NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?")
SENTENCE = re.compile(r"(?<=[.!?;]) +(?=[A-Z`])")

_COLUMN = re.compile(r"^\S+ = m\.addVar\((.*)name=\"([^\"]+)\"\)$", re.MULTILINE)
# An infinite bound tells nothing, and is no number.
_BOUND = re.compile(r"\b([lu])b=([^,]*\d[^,]*),")
_TYPE = re.compile(r"vtype=GRB\.(\w+)")
_SENSE = {"l": ">=", "u": "<="}
_CUES = {
    ">=": "least fewer less more minimum below reach needs promised owed wanted required",
    "<=": "most exceed limit maximum above budget space more allowed only",
    "==": "exactly equal kept again stands sum",
}
"""Words of a description that go with a sense; they count as little as they are common."""
_MOST = 6
"""Bounds that are shown, those first that differ from the description or may bind from below."""
_WHOLE = 2
"""Columns shown for whole numbers alone: what a binary one among them is not."""
_SPACE, _QUOTED = 240, 80
"""The size of all that is shown, and what is quoted at least, in tokens as `_size` counts them."""
_PIECE = re.compile(r"[A-Za-z]{1,6}|\d|[^\w\s]|_")

_QUOTED_NAME = re.compile(r"`([^`]+)`")
_AND = re.compile(r",? and |, ")
_ITEM = re.compile(r"([\d,.]*\d) (?:for|with|from|to|at|in|by|on) (.+)")
_TERM = re.compile(r"(?:(\d[\d.]*)\*)?([^\W\d]\w*)")
_ENDING = re.compile(r"(?:ies|es|s|ed|ing|y|e)$")
_LISTED = re.compile(r": | are | is ")

_NAMED, _LABELLED, _NEAR, _UNSAID, _TOLD = 3.0, 0.5, 0.8, 2.0, 1.4
"""What the same names, an item of a line's own labels, and a figure of a side's size are worth
beside common words (about 1); then what lines that the description contradicts weigh, and sentences
with just a line's names, which stand behind them: figures go first. Of four values of the third the
best: on 270 problems of training, the figure that a repair writes was shown in .97 with it, in .90
without, in .75 by words alone. On two other sets of 270 it is in .95 and .96, with the fifth or
without."""
_SIZE = 2.5
"""A figure is of a side's size up to this factor, more than any injector moves a side by."""


def _named(text: str) -> list[str]:
    """The members of the IIS that a state shows last."""
    listed = IIS.findall(text)
    return re.findall(r"'([^']*)'", listed[-1]) if listed else []


def focus(text: str) -> str | None:
    """What `focused` shows of a whole state; None for any other text."""
    problem, status = PROBLEM.search(text), STATUS.findall(text)
    if not (problem and status):
        return None
    said = {plain(number) for number in NUMBER.findall(problem[1])}

    def mark(number: str) -> str:
        known = plain(number.lstrip("-")) in said or float(number) in {0.0, 1.0}
        return number if known else f"{number} unsaid"

    rows, whole = _conflict(text, mark)
    bounds = _bounds(text, " ".join(line.text for line in whole), mark)
    shown = [*rows, *bounds]
    space = max(_QUOTED, _SPACE - sum(map(_size, shown)))
    lines = [*whole, *map(_Line, bounds)]
    return "\n".join([status[-1], *shown, _quoted(problem[1], lines, space)])


def plain(number: str) -> str:
    """A number as the code and the description both may spell it."""
    return f"{float(number.replace(',', '').rstrip('.')):g}" if NUMBER.search(number) else number


@dataclass(frozen=True)
class _Line:
    """A line of the conflict as sentences are compared with it, and the words of its sense."""

    text: str
    cues: str = ""

    @cached_property
    def words(self) -> set[str]:
        return _stems(f"{self.text} {self.cues}") - {"unsaid"}

    @cached_property
    def figures(self) -> set[str]:
        return {plain(number) for number in NUMBER.findall(self.text)}

    @cached_property
    def terms(self) -> dict[str, str]:
        """The coefficients of a row by its columns' names."""
        return {name: factor or "1" for factor, name in _TERM.findall(self.text.partition(":")[2])}

    @cached_property
    def unsaid(self) -> float | None:
        """The number that the description does not have, if there is one."""
        found = re.search(r"-?([\d.]+) unsaid", self.text)
        return float(found[1]) if found else None

    def has(self, item: "_Item") -> bool:
        """Whether the line shows an item's figure."""
        ones = (name for name, factor in self.terms.items() if factor == "1")
        return item.words <= self.words and (
            item.figure in self.figures
            or (item.figure == "1" and any(item.label <= _stems(name) for name in ones))
        )


@dataclass(frozen=True)
class _Item:
    """A figure of a list: 7 in "for Oulu, 5 with Kiel and 7 with Turku", where `lead` is Oulu's."""

    lead: str
    label: frozenset[str]
    words: frozenset[str]
    figure: str
    text: str


@dataclass
class _Sentence:
    """A sentence, taken apart where it lists figures; `text` is what is quoted, "" for nothing."""

    text: str
    head: str = ""
    items: list[_Item] = field(default_factory=list)
    words: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, text: str) -> "_Sentence":
        text = text.removeprefix("Given: ")
        head, colon, tail = text.partition(": ")
        names = set(_QUOTED_NAME.findall(text))
        items = list(_items(tail)) if colon and not names else []
        return cls(text, head, items, _stems(head if items else _QUOTED_NAME.sub("", text)), names)

    def cut(self, lines: Sequence[_Line], labels: set[str]) -> None:
        """Leave out what the conflict does not name or shows already, and lists of names alone."""
        if not self.items:
            listed = _AND.split(_LISTED.split(self.text.rstrip("."))[-1])
            if not self.names and all(_stems(name) <= labels for name in listed):
                self.text = ""
            return
        known = set[str]().union(*(line.words for line in lines), {"each"})
        fits = [item for item in self.items if item.words <= known]
        fits = fits or [item for item in self.items if item.label <= known] or self.items
        self.items = [item for item in fits if not any(line.has(item) for line in lines)]
        said = ""
        for before, item in zip([None, *self.items], self.items, strict=False):
            new = before is None or before.lead != item.lead
            said += ("; " if new else ", ") * bool(before) + (item.lead if new else "") + item.text
        self.text = f"{self.head}: {said}." if said else ""

    def worth(self, line: _Line, words: set[str], rare: Callable[[str], float]) -> float:
        """How much the sentence has in common with a line, and with `words` of the same matter."""
        if not self.text:
            return 0.0
        if self.names:
            columns = set(line.terms) or set(line.text.split()[:1])
            shared = len(self.names & columns) / len(self.names | columns)
            return _NAMED * shared * shared
        total = sum(rare(word) for word in words & self.words) / sqrt(max(len(self.words), 4))
        total += _LABELLED * any(item.words <= line.words for item in self.items)
        if line.unsaid and any(
            1 / _SIZE <= float(plain(number)) / line.unsaid <= _SIZE
            for number in NUMBER.findall(self.text)
        ):
            total += _NEAR if self.items or self.words & _stems(line.cues) else _NEAR / 2
        return total


def _items(tail: str) -> Iterator[_Item]:
    for part in tail.rstrip(".").split("; "):
        pieces = _AND.split(part)
        lead = ""
        if part.startswith("for ") and len(pieces) > 1 and not _ITEM.fullmatch(pieces[0]):
            lead = f"{pieces.pop(0)}, "
        for piece in pieces:
            if found := _ITEM.fullmatch(piece):
                label = frozenset(_stems(found[2]))
                whole = label | _stems(lead.removeprefix("for "))
                yield _Item(lead, label, whole, plain(found[1]), piece)


def _quoted(problem: str, lines: Sequence[_Line], space: int) -> str:
    """The sentences that have most in common with a line each, as many as there is space for."""
    sentences = [_Sentence.of(text) for text in SENTENCE.split(problem.strip())]
    labels = set[str]().union(*(item.words for one in sentences for item in one.items))
    listed = [list(one.items) for one in sentences]
    for one in sentences:
        one.words -= labels
        one.cut(lines, labels)
    common = Counter(word for one in sentences for word in one.words)
    best = [0.0] * len(sentences)
    for line in lines:
        words = line.words - labels
        # A list that has a row's coefficients says what the row is of: other sentences say it, too.
        for one, items in zip(sentences, listed, strict=True):
            if _explained(line, items):
                words = words | one.words
        found = [one.worth(line, words, lambda word: 1 / common[word]) for one in sentences]
        most = max(found, default=0.0) or 1.0
        for place, (worth, one) in enumerate(zip(found, sentences, strict=True)):
            weight = _TOLD if one.names and one.names == line.terms.keys() else 1.0
            weight = _UNSAID if line.unsaid and NUMBER.search(one.text) else weight
            best[place] = max(best[place], weight * worth / most)
    kept = set[int]()
    for place in sorted(range(len(best)), key=lambda place: (-round(best[place], 6), place)):
        size = _size(sentences[place].text)
        if best[place] and size <= space:
            kept.add(place)
            space -= size
    return " ".join(sentences[place].text for place in sorted(kept))


def _explained(line: _Line, items: Sequence[_Item]) -> bool:
    """Whether a list has two of a row's coefficients, or one that is half of them."""
    factors = {name: factor for name, factor in line.terms.items() if factor != "1"}
    hits = sum(
        any(item.figure == factor and item.label <= _stems(name) for item in items)
        for name, factor in factors.items()
    )
    return hits >= 2 or (hits == 1 and 2 * hits >= len(line.terms) > 1)


def _conflict(text: str, mark: Callable[[str], str]) -> tuple[list[str], list[_Line]]:
    """The members of the IIS, a line each as there is space, and the rows among them whole.

    A row to be repaired is shown whole in .96 and .98 of two sets of 270 problems; in .86 and .84
    where the first rows are, whatever they are.
    """
    rows, names = {found[3]: found for found in ROW.findall(text)}, _named(text)
    lines = {name: _Line(name) for name in names}
    short = dict(zip(names, names, strict=True))
    for name in names:
        if name in rows:
            terms, sense, side, _ = rows[name]
            lines[name] = _Line(f"{name}: {terms} {sense} {mark(side)}", _CUES[sense])
            short[name] = f"{name}: ... {sense} {mark(side)}"
    space = _SPACE - _QUOTED
    for name in sorted(lines, key=lambda name: (not lines[name].unsaid, _size(lines[name].text))):
        if (space := space - _size(lines[name].text)) >= 0:
            short[name] = lines[name].text
    return list(short.values()), [line for name, line in lines.items() if name in rows]


def _bounds(text: str, conflict: str, mark: Callable[[str], str]) -> list[str]:
    """Bounds and types of the columns that the conflict names, those that tell something first."""
    found = []
    for settings, name in _COLUMN.findall(text):
        if not re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.])", conflict):
            continue
        limits = [f"{_SENSE[side]} {mark(number)}" for side, number in _BOUND.findall(settings)]
        kind = _TYPE.search(settings)
        shown = ", ".join([*limits, kind[1].lower()] if kind else limits)
        telling = any(sign in shown for sign in ("unsaid", ">= ", "binary"))
        if shown:
            found.append((0 if telling else 2 if shown == "integer" else 1, f"{name} {shown}"))
    found.sort()
    first = [line for rank, line in found if rank < 2][:_MOST]
    whole = [line for rank, line in found if rank == 2]
    return first + whole[: min(_WHOLE, _MOST - len(first))]


def _size(text: str) -> int:
    """About how many tokens a text is: digits and marks one each, words one for six letters."""
    return len(_PIECE.findall(text))


def _stems(text: str) -> set[str]:
    """The words of a text, without their endings, and whole numbers as they are."""
    words = re.findall(r"[a-z]{3,}|\d+", text.lower().replace("_", " "))
    return {_ENDING.sub("", word) if len(word) > 4 else word for word in words}
