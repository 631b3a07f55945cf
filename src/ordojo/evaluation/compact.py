"""Short forms of what environments say, for models too small to read the whole.

Pure functions of text: nothing is added that the text does not say, and replies stay as they are.
"""

import re
from collections.abc import Callable, Mapping, Sequence

from ordojo.core.environment import Message
from ordojo.core.errors import UsageError
from ordojo.evaluation.focus import IIS, PROBLEM, ROW, SENTENCE, STATUS, focus, plain

Rendering = Callable[[Sequence[Message]], tuple[Message, ...]]
"""From the messages of one observation to those that the model reads."""

_SHORT = re.compile(r"^  (\S+): violated by (\S+)$", re.MULTILINE)
_REFUSED = re.compile(r"^That action is not possible", re.MULTILINE)
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


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
    their share, the longest are shown without their terms, those that are "unsaid" last.
    """
    turns = [message for message in messages if message.role != "system"]
    return tuple(
        Message(turn.role, focus(turn.content) or _shorten(turn.content)) for turn in turns
    )


RENDERINGS: Mapping[str, Rendering] = {"full": full, "compact": compact, "focused": focused}
"""The renderings by name."""


def rendering(name: str) -> Rendering:
    """The rendering called `name`; raises UsageError."""
    if name not in RENDERINGS:
        raise UsageError(f"there is no rendering '{name}'; choose from {', '.join(RENDERINGS)}")
    return RENDERINGS[name]


def _shorten(text: str) -> str:
    status = STATUS.findall(text)
    if status:
        return _state(text, status[-1])
    sentences = [part for part in SENTENCE.split(text.strip()) if _NUMBER.search(part)]
    return " ".join(sentences) or text.strip()


def _state(text: str, status: str) -> str:
    lines = [f"{'refused ' if _REFUSED.search(text) else ''}{status}"]
    found = IIS.findall(text)
    names = re.findall(r"'([^']*)'", found[-1]) if found else []
    problem = PROBLEM.search(text)
    said = {plain(number) for number in _NUMBER.findall(problem[1])} if problem else set()
    rows = {name: (sense, side) for _, sense, side, name in ROW.findall(text)}
    for name in names:
        if name in rows:
            sense, side = rows[name]
            lines.append(f"{sense} {'said' if plain(side) in said else 'unsaid'} {side} {name}")
        else:
            lines.append(name)
    lines += [f"violated {amount} {name}" for name, amount in _SHORT.findall(text)]
    return "\n".join(lines)
