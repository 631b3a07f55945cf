"""What a benchmark's queue is made of, and what its decisions come to."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ordojo.core.panels import Table
from ordojo.core.policy import Generate
from ordojo.core.records import RunView
from ordojo.review.model import ModelLabels
from ordojo.review.queue import ReviewItem, ReviewQueue

Say = Callable[[str], None]


@dataclass(frozen=True)
class QueueKind:
    """A kind of queue: its title, the reasons of a rejection, and what is done with one.

    `owns` says whether a queue is of the kind. `items` makes them of datasets and runs, and says
    what it leaves out; `tables` says what the decisions come to, beside the paper's. A language
    model may `label` what nobody has labelled, and `write` writes what was kept, counted by what
    became of each.
    """

    title: str
    what: str
    reasons: tuple[str, ...]
    owns: Callable[[ReviewQueue], bool]
    items: Callable[[Sequence[str], Sequence[RunView], Say], list[ReviewItem]]
    tables: Callable[[ReviewQueue], Sequence[Table]]
    label: Callable[[ReviewQueue, Generate, str], ModelLabels] | None = None
    write: Callable[[ReviewQueue, Path], Counter[str]] | None = None
