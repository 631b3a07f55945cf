"""Short forms of what environments say, for models too small to read the whole.

Pure functions of text: nothing is added that the text does not say, and replies stay as they are.
"""

import re
from collections.abc import Callable, Mapping, Sequence

from ordojo.core.environment import Message
from ordojo.core.errors import UsageError

Rendering = Callable[[Sequence[Message]], tuple[Message, ...]]
"""From the messages of one observation to those that the model reads."""

_IIS = re.compile(r"^IIS: \[(.*)\]$", re.MULTILINE)
_STATUS = re.compile(r"^Status: (\w+)", re.MULTILINE)
_ROW = re.compile(r"^m\.addConstr\((.*) (<=|>=|==) (\S+), name=\"([^\"]+)\"\)$", re.MULTILINE)
_PROBLEM = re.compile(r"^Problem: (.*?)\nCode:", re.MULTILINE | re.DOTALL)
_SHORT = re.compile(r"^  (\S+): violated by (\S+)$", re.MULTILINE)
_REFUSED = re.compile(r"^That action is not possible", re.MULTILINE)
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_SENTENCE = re.compile(r"(?<=[.!?;]) +(?=[A-Z])")


def full(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Everything, as the environment says it."""
    return tuple(messages)


def compact(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The same turns in a few dozen tokens; instructions of the system are left out.

    Of an or-debug state: the status, and of each row in the IIS its sense, "said" or "unsaid" (the
    description has its right-hand side, or not), the side, and its name, one a line; of an answer
    of CHECK_SLACK the violations. Of any other text: the sentences that hold a number.
    """
    turns = [message for message in messages if message.role != "system"]
    return tuple(Message(turn.role, _shorten(turn.content)) for turn in turns)


def focused(messages: Sequence[Message]) -> tuple[Message, ...]:
    """What a repair needs of an or-debug state, in some 300 tokens; other texts as `compact`.

    The status; each row in the IIS with its algebra; the bounds and types of its columns; the
    sentences of the description that have most words and numbers in common with those. A row or
    bound whose number the description does not have is marked "unsaid". Where rows take more than
    their share, the last ones are shown without their terms.
    """
    turns = [message for message in messages if message.role != "system"]
    return tuple(Message(turn.role, _focused(turn.content)) for turn in turns)


RENDERINGS: Mapping[str, Rendering] = {"full": full, "compact": compact, "focused": focused}
"""The renderings by name."""


def rendering(name: str) -> Rendering:
    """The rendering called `name`; raises UsageError."""
    if name not in RENDERINGS:
        raise UsageError(f"there is no rendering '{name}'; choose from {', '.join(RENDERINGS)}")
    return RENDERINGS[name]


def _shorten(text: str) -> str:
    status = _STATUS.findall(text)
    if status:
        return _state(text, status[-1])
    sentences = [part for part in _SENTENCE.split(text.strip()) if _NUMBER.search(part)]
    return " ".join(sentences) or text.strip()


def _state(text: str, status: str) -> str:
    lines = [f"{'refused ' if _REFUSED.search(text) else ''}{status}"]
    found = _IIS.findall(text)
    names = re.findall(r"'([^']*)'", found[-1]) if found else []
    problem = _PROBLEM.search(text)
    said = {_plain(number) for number in _NUMBER.findall(problem[1])} if problem else set()
    rows = {name: (sense, side) for _, sense, side, name in _ROW.findall(text)}
    for name in names:
        if name in rows:
            sense, side = rows[name]
            lines.append(f"{sense} {'said' if _plain(side) in said else 'unsaid'} {side} {name}")
        else:
            lines.append(name)
    lines += [f"violated {amount} {name}" for name, amount in _SHORT.findall(text)]
    return "\n".join(lines)


_COLUMN = re.compile(r"^\S+ = m\.addVar\((.*)name=\"([^\"]+)\"\)$", re.MULTILINE)
# An infinite bound tells nothing, and is no number.
_BOUND = re.compile(r"\b([lu])b=([^,]*\d[^,]*),")
_TYPE = re.compile(r"vtype=GRB\.(\w+)")
_WORD = re.compile(r"[a-z]{3,}|\d[\d,]*(?:\.\d+)?")
_SENSE = {"l": ">=", "u": "<="}
_CUES = {
    ">=": "least fewer less more minimum below reach needs promised owed wanted required",
    "<=": "most exceed limit maximum above budget space more allowed only",
    "==": "exactly equal kept again stands sum",
}
"""Words of a description that go with a sense; they count as little as they are common."""
_MOST = 6
"""Bounds that are shown, those first that differ from the description or may bind from below."""
_SPACE, _QUOTED = 240, 80
"""The size of all that is shown, and what is quoted at least, in tokens as `_size` counts them."""
_PIECE = re.compile(r"[A-Za-z]{1,6}|\d|[^\w\s]|_")


def _focused(text: str) -> str:
    problem = _PROBLEM.search(text)
    status = _STATUS.findall(text)
    if not (problem and status):
        return _shorten(text)
    said = {_plain(number) for number in _NUMBER.findall(problem[1])}

    def mark(number: str) -> str:
        known = _plain(number.lstrip("-")) in said or float(number) in {0.0, 1.0}
        return number if known else f"{number} unsaid"

    rows, wanted = _conflict(text, mark)
    bounds = _bounds(text, " ".join(wanted), mark)
    lines = rows + bounds
    space = max(_QUOTED, _SPACE - sum(map(_size, lines)))
    near = [line.replace("_", " ") for line in wanted + bounds]
    return "\n".join([status[-1], *lines, _quoted(problem[1], near, space)])


def _conflict(text: str, mark: Callable[[str], str]) -> tuple[list[str], list[str]]:
    """The members of the IIS, a line each, and what sentences about its rows may have in them."""
    rows = {found[3]: found for found in _ROW.findall(text)}
    listed = _IIS.findall(text)
    lines: list[str] = []
    wanted: list[str] = []
    space = _SPACE - _QUOTED
    for name in re.findall(r"'([^']*)'", listed[-1]) if listed else ():
        if name not in rows:
            lines.append(name)
            continue
        terms, sense, side, _ = rows[name]
        line = f"{name}: {terms} {sense} {mark(side)}"
        if (space := space - _size(line)) < 0:
            line = f"{name}: ... {sense} {mark(side)}"
        lines.append(line)
        wanted.append(f"{name} {terms} {side} {_CUES[sense]}")
    return lines, wanted


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
            found.append((not telling, f"{name} {shown}"))
    return [line for _, line in sorted(found)[:_MOST]]


def _quoted(problem: str, wanted: Sequence[str], space: int) -> str:
    """The sentences nearest to the wanted words, each word weighed by how few sentences have it."""
    sentences = _SENTENCE.split(problem.strip())
    words = [set(_WORD.findall(sentence.lower())) for sentence in sentences]
    best: dict[int, float] = {}
    for line in wanted:
        near = set(_WORD.findall(line.lower()))
        weights = [
            sum(1 / sum(word in other for other in words) for word in near & own) / len(own) ** 0.5
            for own in words
        ]
        for place, weight in enumerate(weights):
            best[place] = max(best.get(place, 0.0), weight / (max(weights) or 1.0))
    kept = set[int]()
    for place in sorted(best, key=lambda place: (-round(best[place], 6), place)):
        if best[place] and _size(sentences[place]) <= space:
            kept.add(place)
            space -= _size(sentences[place])
    return " ".join(sentences[place] for place in sorted(kept))


def _size(text: str) -> int:
    """About how many tokens a text is: digits and marks one each, words one for six letters."""
    return len(_PIECE.findall(text))


def _plain(number: str) -> str:
    """A number as the code and the description both may spell it."""
    return f"{float(number.replace(',', '').rstrip('.')):g}" if _NUMBER.search(number) else number
