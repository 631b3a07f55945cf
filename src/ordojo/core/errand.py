"""An instance as work for an agent that has files and runs programs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ordojo.core.instance import Instance


@dataclass(frozen=True)
class Errand:
    """What an agent is given, and what of its work is judged.

    `files` are those of its folder, by name, and `brief` what it is told; `answer` is the name of
    the file that it leaves, which is judged as a reply with a block of the `language`, under the
    options in `settings`. `figures` are those of the benchmark's metrics that say how it did.
    """

    settings: Mapping[str, str]
    brief: Callable[[Instance[Any]], str]
    files: Callable[[Instance[Any]], Mapping[str, str]]
    answer: str
    language: str
    figures: Sequence[str]
