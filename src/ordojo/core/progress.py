"""What long work says of itself while it is done: to whoever hears, and to nobody by default.

`doing` names work as it begins; `counting`, `counted` and `arriving` count what is done of it. The
commands hear (`ordojo.cli.progress`), and so may anyone, by `hearing`. Work in other processes is
counted by the process that hands it out.
"""

from collections.abc import Iterable, Iterator, Sized
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Protocol, TypeVar

T = TypeVar("T")


@dataclass
class CountedWork:
    """Work that is counted.

    `total` is how many there are, None where nobody knows; `before` were done by an earlier start
    and `done` by this one; `note` is what else is worth knowing by now. Bytes are counted where
    `unit` is "B", items where it is "".
    """

    what: str
    total: int | None = None
    before: int = 0
    done: int = 0
    note: str = ""
    unit: str = ""


class Hearer(Protocol):
    """Whoever is told; all of it comes from the thread that works."""

    def doing(self, what: str, limit: float | None) -> None:
        """Work begins that is not counted, of at most `limit` seconds."""

    def begun(self, work: CountedWork) -> None:
        """Counted work begins, perhaps within other such work."""

    def advanced(self, work: CountedWork) -> None:
        """Some of it is done."""

    def ended(self, work: CountedWork) -> None:
        """It has ended, well or not."""


_hearer: ContextVar[Hearer | None] = ContextVar("ordojo_progress", default=None)


@contextmanager
def hearing(hearer: Hearer | None) -> Iterator[None]:
    """Whatever is done in the block is told to `hearer`; None: to nobody."""
    token = _hearer.set(hearer)
    try:
        yield
    finally:
        _hearer.reset(token)


def doing(what: str, limit: float | None = None) -> None:
    """Say what begins now ("reading model.lp"), and within how many seconds it ends, if it must.

    "" ends it: now somebody else is waited for.
    """
    if hearer := _hearer.get():
        hearer.doing(what, limit)


class Count:
    """What `counting` gives: to be moved on as work is done."""

    def __init__(self, work: CountedWork, hearer: Hearer | None) -> None:
        self.work, self._hearer = work, hearer

    def step(self, more: int = 1, note: str | None = None) -> None:
        """So many more are done; `note` takes the former one's place."""
        self.to(self.work.done + more, note)

    def to(self, done: int, note: str | None = None) -> None:
        """So many are done in all, by this start."""
        self.work.done = done
        if note is not None:
            self.work.note = note
        if self._hearer:
            self._hearer.advanced(self.work)


@contextmanager
def counting(
    what: str, total: int | None = None, before: int = 0, unit: str = ""
) -> Iterator[Count]:
    """The block does counted work; for the arguments see `CountedWork`."""
    hearer = _hearer.get()
    work = CountedWork(what, total, before, unit=unit)
    if hearer:
        hearer.begun(work)
    try:
        yield Count(work, hearer)
    finally:
        if hearer:
            hearer.ended(work)


def counted(items: Iterable[T], what: str) -> Iterator[T]:
    """The items, each of which is done when the next one is asked for."""
    with counting(what, len(items) if isinstance(items, Sized) else None) as count:
        for item in items:
            yield item
            count.step()


def arriving(results: Iterable[T], what: str, total: int | None = None) -> Iterator[T]:
    """The results, each of which is done when it arrives."""
    with counting(what, total) as count:
        for result in results:
            count.step()
            yield result


def printable(text: str) -> str:
    """The text on one line: what was given may hold line ends and codes for the terminal."""
    return "".join(
        c if c.isprintable() or 0xD800 <= ord(c) < 0xE000 else repr(c)[1:-1] for c in text
    )
