"""Short forms of what environments say, for models too small to read the whole.

A benchmark has its own (`Teaching.renderings`); of any other text the sentences that hold a number.
Replies stay as they are.
"""

import re
from collections.abc import Callable, Sequence
from functools import partial

from ordojo.core.environment import Message, chat
from ordojo.core.errors import UsageError
from ordojo.core.registry import benchmark_names, get_benchmark
from ordojo.core.teaching import ShortForm

Rendering = Callable[[Sequence[Message]], tuple[Message, ...]]
"""From the messages of one observation to those that the model reads."""

RENDERINGS = ("full", "compact", "focused")
"""The renderings by name; but for the first, a benchmark may have its own form of each."""

_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_SENTENCE = re.compile(r"(?<=[.!?;]) +(?=[A-Z`])")


def full(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Everything, as the environment says it."""
    return tuple(messages)


def rendering(name: str) -> Rendering:
    """The rendering called `name`; instructions of the system are in the full one alone.

    Raises UsageError.
    """
    if name == "full":
        return full
    if name not in RENDERINGS:
        raise UsageError(f"there is no rendering '{name}'; choose from {', '.join(RENDERINGS)}")
    # What is read may be of any benchmark: a file of records does not always say.
    every = (get_benchmark(one).teaching().renderings for one in benchmark_names())
    return partial(_shown, [forms[name] for forms in every if name in forms])


def _shown(forms: Sequence[ShortForm], messages: Sequence[Message]) -> tuple[Message, ...]:
    def short(text: str) -> str:
        return next(filter(None, (form(text) for form in forms)), None) or numbers(text)

    return tuple(
        Message(turn.role, short(turn.content)) for turn in messages if turn.role != "system"
    )


def numbers(text: str) -> str:
    """The sentences that hold a number, or the whole where none does."""
    sentences = [part for part in _SENTENCE.split(text.strip()) if _NUMBER.search(part)]
    return " ".join(sentences) or text.strip()


def conversation(messages: Sequence[Message], show: Rendering) -> list[dict[str, str]]:
    """A conversation as a model is trained to read it: its own turns as they are."""
    turns: list[Message] = []
    for message in messages:
        turns += [message] if message.role == "assistant" else show([message])
    return chat(turns)
