"""What a command says on stderr while it works: what it does, how much is done, how long is left.

A command that may take more than three seconds is of the class `Spoken`, and names in one line what
it does; that line is its first word. What it tells of by `ordojo.core.progress` follows: bars where
stderr is a terminal, else lines, fewer as time goes on.
"""

import math
import os
import re
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ordojo.core.errors import OrdojoError, UsageError
from ordojo.core.progress import CountedWork, doing, hearing, printable

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

VARIABLE = "ORDOJO_PROGRESS"
"""Seconds between two lines in place of those below; 0: a line at each count; "off": none."""

FIRST = (5.0, 15.0, 30.0, 60.0)
"""Seconds after which a piece of work is told of again: soon, and with an estimate in a minute."""

EVERY, LATER, LATE = 60.0, 300.0, 3600.0
"""Seconds between lines after those, and from the hour on: a night's log is a page long."""


def span(seconds: float) -> str:
    """A time as people say it: "40 s", "3 min", "2 h 5 min"."""
    if seconds < 100:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"


def _amount(number: int, unit: str) -> str:
    return f"{number / 1e6:.1f} MB" if unit == "B" else f"{number:,}"


class _Begun:
    """Work with the moment at which it began."""

    def __init__(self, work: CountedWork) -> None:
        self.work, self.start = work, time.monotonic()
        self.bar: TaskID | None = None

    def left(self) -> str:
        """How long it will take yet, by how long it took so far."""
        work, took = self.work, time.monotonic() - self.start
        if work.total is None or not work.done or took <= 0:
            return ""
        rest = max(work.total - work.before - work.done, 0)
        return f"about {span(took / work.done * rest)} left" if rest else ""

    def text(self) -> str:
        """What is done of it."""
        work = self.work
        done = _amount(work.before + work.done, work.unit)
        if work.total is not None:
            done += f" of {_amount(work.total, work.unit)}"
        unknown = ""
        if work.total is not None and not work.done and time.monotonic() - self.start >= FIRST[0]:
            unknown = "the time left is known when the first is done"
        return ", ".join(filter(None, [f"{work.what}: {done}", self.left() or unknown, work.note]))


class Teller:
    """Hears of work and tells of it on stderr. Use as a context manager, which ends its telling."""

    def __init__(self, setting: str | None = None) -> None:
        self._interval = _interval(os.environ.get(VARIABLE) if setting is None else setting)
        self._stream = sys.stderr
        self._works: list[_Begun] = []
        self._what, self._since, self._told = "", time.monotonic(), 0
        self._limit: float | None = None
        self._terminal = self._stream.isatty()
        self._bars: Progress | None = None
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._over = False
        self._thread: threading.Thread | None = None

    # What is heard -------------------------------------------------------------------------------

    def doing(self, what: str, limit: float | None) -> None:
        """A line; within counted work its note."""
        with self._lock:
            if self._works:
                self._works[-1].work.note = what
                self._shown(self._works[-1])
                return
            self._what, self._limit = what, limit
            self._anew()
            if what:
                self._say(what)

    def begun(self, work: CountedWork) -> None:
        """A line, or a bar; work within other work is told of with that."""
        with self._lock:
            self._works.append(_Begun(work))
            if len(self._works) == 1:
                self._anew()
                total = "" if work.total is None else f": {_amount(work.total, work.unit)}"
                before = f", {_amount(work.before, work.unit)} done before" if work.before else ""
                self._say(f"{work.what}{total}{before}")
            self._draw(self._works[-1])

    def advanced(self, work: CountedWork) -> None:
        """The bar moves."""
        with self._lock:
            for one in self._works:
                if one.work is work:
                    self._shown(one)
            if self._interval == 0:
                self._say(self._line())

    def ended(self, work: CountedWork) -> None:
        """The last line, where there was one between."""
        with self._lock:
            ended = [one for one in self._works if one.work is work]
            self._works = [one for one in self._works if one.work is not work]
            for one in ended:
                if self._bars is not None and one.bar is not None:
                    self._bars.remove_task(one.bar)
            if self._works:
                return
            if self._bars is not None:
                self._bars.stop()
                self._bars = None
            for one in ended:
                if self._told and self._interval != 0:
                    took = span(time.monotonic() - one.start)
                    self._say(f"{one.text()}, after {took}")
            self._what, self._limit = "", None
            self._anew()

    # When it is told of --------------------------------------------------------------------------

    def __enter__(self) -> "Teller":
        if self._interval is None or self._interval > 0:
            # It ends with the command, and holds up nothing if that ends otherwise.
            self._thread = threading.Thread(target=self._watch, name="ordojo-progress", daemon=True)
            self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._over = True
            self._changed.notify_all()
            if self._bars is not None:
                self._bars.stop()
        if self._thread is not None:
            self._thread.join(1)

    def _anew(self) -> None:
        self._since, self._told = time.monotonic(), 0
        self._changed.notify_all()

    def _due(self) -> float:
        """Seconds after its beginning at which work is told of next."""
        if self._interval:
            return self._interval * (self._told + 1)
        if self._told < len(FIRST):
            return FIRST[self._told]
        hour = round((LATE - FIRST[-1]) / EVERY)
        more = self._told + 1 - len(FIRST)
        return FIRST[-1] + EVERY * min(more, hour) + LATER * max(0, more - hour)

    def _watch(self) -> None:
        with self._lock:
            while not self._over:
                left = self._since + self._due() - time.monotonic()
                if left > 0:
                    self._changed.wait(left)
                    continue
                self._told += 1
                if self._bars is None and (line := self._line()):
                    self._say(line)

    def _line(self) -> str:
        if self._works:
            return "; ".join(one.text() for one in self._works)
        if not self._what:
            return ""
        took = time.monotonic() - self._since
        rest = f", at most {span(self._limit - took)} left" if self._limit is not None else ""
        return f"{self._what}: {span(took)} so far{rest}"

    # How it is told ------------------------------------------------------------------------------

    def _say(self, line: str) -> None:
        if self._interval is not None and math.isnan(self._interval):
            return
        try:
            click.echo(printable(line), file=self._stream)
        except (OSError, ValueError):  # nobody reads it any more, which is no reason to stop
            self._interval = math.nan

    def _draw(self, one: _Begun) -> None:
        if not self._terminal or self._interval is not None:
            return
        if self._bars is None:
            self._bars = _bars()
            self._bars.start()
        one.bar = self._bars.add_task(one.work.what, total=None, text="")
        self._shown(one)

    def _shown(self, one: _Begun) -> None:
        if self._bars is not None and one.bar is not None:
            work = one.work
            text = one.text().removeprefix(f"{work.what}: ")
            done = work.before + work.done
            self._bars.update(one.bar, completed=done, total=work.total, text=text)


def _interval(setting: str | None) -> float | None:
    """Seconds between lines, NaN for none at all, None where nothing is set."""
    if not setting:
        return None
    if setting == "off":
        return math.nan
    try:
        found = float(setting)
    except ValueError:
        found = math.inf
    if not 0 <= found < math.inf:
        raise UsageError(
            f"{VARIABLE}={setting} is neither seconds nor off; set it anew or unset it"
        )
    return found


def _bars() -> "Progress":
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    return Progress(
        TextColumn("  {task.description}", markup=False),
        BarColumn(bar_width=20),
        TextColumn("{task.fields[text]}", markup=False),
        console=Console(stderr=True),
        transient=True,
        # What goes to a file or a pipe is none of the terminal's.
        redirect_stdout=sys.stdout.isatty(),
    )


@contextmanager
def told(first: str = "") -> Iterator[None]:
    """What is done in the block is told on stderr, beginning with the line `first`."""
    with Teller() as teller, hearing(teller):
        if first:
            doing(first)
        yield


class Spoken(click.Command):
    """A command that may take long: on stderr it says at once what it does, and then how far it is.

    `doing` is its first line, in which {NAME} stands for the parameter of that name.
    """

    def __init__(self, *given: Any, doing: str, **more: Any) -> None:
        super().__init__(*given, **more)
        self.first = doing

    def invoke(self, ctx: click.Context) -> Any:
        """Say the line, unless a file is named that is not there, and run the command."""
        line = self.first.format_map({name: _named(v) for name, v in ctx.params.items()})
        line = " ".join(line.split(" ")).strip()
        try:
            with told("" if self._refused(ctx) else line):
                return super().invoke(ctx)
        except OrdojoError as error:
            if (told_here := as_options(str(error), self.params)) != str(error):
                error.args = (told_here,)
            raise

    def _refused(self, ctx: click.Context) -> bool:
        """Whether a sentence that says so will be all that there is to say."""
        names = [
            one.name or ""
            for one in self.params
            if isinstance(one, click.Argument) and isinstance(one.type, click.Path)
        ]
        given = [ctx.params.get(name) for name in names]
        paths = [p for one in given for p in (one if isinstance(one, tuple) else [one])]
        return any(isinstance(path, Path) and not os.path.lexists(path) for path in paths)


def as_options(text: str, params: Sequence[click.Parameter]) -> str:
    """The text of a function on the command line: its `parameters` as options and arguments.

    A benchmark's `key=value` is what `-T` takes.
    """
    names = {one.name: shown_as(one) for one in params}
    settings = any("-T" in one.opts for one in params)

    def shown(found: re.Match[str]) -> str:
        name, _, value = found[1].partition("=")
        if name in names:
            return f"{names[name]} {value}".strip()
        return f"-T {found[1]}" if value and settings else found[0]

    return re.sub(r"`(\w+(?:[\w.]*=[^`\s]*)?)`", shown, text)


def shown_as(one: click.Parameter | None) -> str:
    """A parameter as the help calls it."""
    if one is None:
        return ""
    if isinstance(one, click.Argument):
        return (one.name or "").upper() if one.metavar is None else one.metavar.strip("[].")
    return one.opts[0]


def _named(value: object) -> str:
    parts = value if isinstance(value, tuple) else (value,)
    return ", ".join(str(part) for part in parts if part is not None)
