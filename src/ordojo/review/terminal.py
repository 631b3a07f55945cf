"""Reviewing in the terminal: one key a decision, from a keyboard or from lines of a script."""

import os
import sys
from collections.abc import Mapping
from typing import Any, Protocol, TextIO

import click
from rich.console import Console, Group
from rich.panel import Panel
from rich.rule import Rule
from rich.text import Text

from ordojo.core.errors import UsageError
from ordojo.review.queue import OTHER, ReviewDecision, ReviewItem, ReviewQueue

_MARK = "=== "


class Input(Protocol):
    """Keys and texts of a reviewer; each method raises EOFError when there is no more."""

    def key(self) -> str:
        """One key."""
        ...

    def line(self, prompt: str) -> str:
        """One line of text."""
        ...

    def form(self, fields: Mapping[str, str]) -> Mapping[str, str] | None:
        """New texts for these fields, None if nothing was saved."""
        ...


class Keyboard:
    """A person at a terminal: single keys, and $VISUAL or $EDITOR for texts if one is set."""

    def key(self) -> str:
        """One key press; Ctrl-C and Ctrl-D end the session like `q`."""
        try:
            return click.getchar()
        except KeyboardInterrupt:
            raise EOFError from None

    def line(self, prompt: str) -> str:
        """One line, with a prompt."""
        try:
            answer: str = click.prompt(prompt, default="", show_default=False)
        except click.Abort:
            raise EOFError from None
        return answer

    def form(self, fields: Mapping[str, str]) -> Mapping[str, str] | None:
        """All fields in the editor, or one by one where none is set."""
        if not (os.environ.get("VISUAL") or os.environ.get("EDITOR")):
            return field_by_field(self, fields)
        try:
            text = click.edit("".join(f"{_MARK}{k}\n{v}\n" for k, v in fields.items()))
        except click.ClickException as error:
            raise UsageError(f"the editor failed: {error.message}") from None
        return None if text is None else read_form(text, fields)


class Script:
    """Lines of a stream in place of keys: what a pipe, a test or a recording sends."""

    def __init__(self, stream: TextIO) -> None:
        """Read from `stream`, one key or text a line."""
        self._stream = stream

    def key(self) -> str:
        """The next line."""
        return self.line("")

    def line(self, prompt: str) -> str:
        """The next line."""
        text = self._stream.readline()
        if not text:
            raise EOFError
        return text.rstrip("\n")

    def form(self, fields: Mapping[str, str]) -> Mapping[str, str] | None:
        """One line a field, in order; an empty one keeps the field."""
        return field_by_field(self, fields)


def field_by_field(source: Input, fields: Mapping[str, str]) -> Mapping[str, str]:
    """Ask for each field; an empty line keeps it."""
    return {name: source.line(f"{name} (Enter keeps it)") or old for name, old in fields.items()}


def read_form(text: str, fields: Mapping[str, str]) -> Mapping[str, str]:
    """The fields of an edited form; UsageError if its heading lines are not all there once."""
    found: dict[str, list[str]] = {}
    body: list[str] = []
    for row in text.splitlines():
        name = row.removeprefix(_MARK).strip()
        if row.startswith(_MARK) and name in fields and name not in found:
            body = found[name] = []
        else:
            body.append(row)
    if list(found) != list(fields):
        raise UsageError(f"keep the lines that begin with '{_MARK.strip()}': nothing was changed")
    return {name: "\n".join(rows).strip() for name, rows in found.items()}


COMMENT = "Comment"
"""The field of a form in which a labelled item is commented on."""
_COLOURS = {"accept": "green", "edit": "cyan", "reject": "red", "label": "green"}


def review_in_terminal(
    queue: ReviewQueue,
    reviewer: str,
    *,
    independent: bool = False,
    source: Input | None = None,
    console: Console | None = None,
) -> None:
    """Go through `queue` until `q` or the end of input; every decision is stored at once.

    With `independent` the decisions of others are neither shown nor counted: a second opinion.
    Without a terminal on stdin, each line stands for a key or a text.
    """
    if source is None:
        source = Keyboard() if sys.stdin.isatty() else Script(sys.stdin)
    session = _Session(queue, reviewer, independent, source, console or Console())
    try:
        while session.turn():
            pass
    except EOFError:
        pass
    session.farewell()


class _Session:
    def __init__(
        self, queue: ReviewQueue, reviewer: str, independent: bool, source: Input, console: Console
    ) -> None:
        self.queue, self.reviewer, self.source, self.console = queue, reviewer, source, console
        self.view = reviewer if independent else ""
        self.position = 0
        self.unit = 0
        self.message = ""
        self.go_to_undecided(0)

    @property
    def item(self) -> ReviewItem:
        return self.queue.items[self.position]

    def turn(self) -> bool:
        """Show the item, take one key; False when the reviewer quits."""
        self.show()
        key = self.source.key()
        self.message = ""
        try:
            return self.act(key)
        except UsageError as error:
            self.message = str(error)
            return True

    def act(self, key: str) -> bool:
        labels = self.item.labels
        if key == "q":
            return False
        if key == "a" and not labels:
            self.accept()
        elif key == "e" and (self.item.editable or not labels):
            self.edit()
        elif key == "r":
            self.reject()
        elif key == "u":
            self.undo()
        elif key in ("n", "p"):
            self.go_to(self.position + (1 if key == "n" else -1))
        elif key in ("j", "k") and labels:
            self.unit = (self.unit + (1 if key == "j" else -1)) % (len(self.item.parts) + 1)
        elif key.isdecimal() and 0 < int(key) <= len(labels):
            self.label(labels[int(key) - 1])
        else:
            self.message = f"{key!r} does nothing here"
        return True

    @property
    def now(self) -> ReviewDecision | None:
        return self.queue.current(self.item.id, self.view)

    def accept(self) -> None:
        # As shown: an edit that changes nothing is stored as an acceptance.
        fields = self.now.fields if self.now else {}
        self.queue.decide(self.item.id, "edit", self.reviewer, fields=fields)
        self.go_to_undecided(self.position + 1)

    def edit(self) -> None:
        if not self.item.editable:
            raise UsageError("this item has no field that can be edited")
        old = self.queue.fields(self.item.id, self.view)
        form = {name: old[name] for name in self.item.editable}
        new = self.source.form({**form, COMMENT: self.comment} if self.item.labels else form)
        if new is None:
            self.message = "nothing was saved, so nothing was decided"
            return
        if self.item.labels:
            fields = {name: new[name] for name in form}
            return self.store(self.marks(), comment=new[COMMENT], fields=fields)
        self.queue.decide(self.item.id, "edit", self.reviewer, fields=new)
        self.go_to_undecided(self.position + 1)

    def reject(self) -> None:
        reasons = self.queue.reasons
        self.console.print(Text("  ".join(f"{i} {r}" for i, r in enumerate(reasons, 1)), "red"))
        key = self.source.key()
        if not (key.isdecimal() and 0 < int(key) <= len(reasons)):
            self.message = "not rejected"
            return
        reason = reasons[int(key) - 1]
        prompt = "Why" if reason == OTHER else "Comment (Enter for none)"
        comment = self.source.line(prompt).strip()
        self.queue.decide(self.item.id, "reject", self.reviewer, reason=reason, comment=comment)
        self.go_to_undecided(self.position + 1)

    def undo(self) -> None:
        target = self.item.id if self.now else self.queue.latest(self.reviewer)
        if target is None:
            raise UsageError("there is no decision of yours to undo")
        self.queue.decide(target, "reopen", self.reviewer)
        self.go_to([item.id for item in self.queue.items].index(target))
        self.message = "reopened"

    def label(self, label: str) -> None:
        marks = self.marks()
        marks[self.unit] = label
        fields = self.now.fields if self.now and self.now.kind == "label" else {}
        self.store(marks, comment=self.comment, fields=fields)
        if all(marks):
            self.go_to_undecided(self.position + 1)
        else:
            self.unit = marks.index("")

    def store(self, marks: list[str], **more: Any) -> None:
        *parts, whole = marks
        self.queue.decide(self.item.id, "label", self.reviewer, label=whole, parts=parts, **more)

    @property
    def comment(self) -> str:
        """The reviewer's own: what others said of their labels is not said again."""
        mine = self.now and self.now.kind == "label" and self.now.reviewer == self.reviewer
        return self.now.comment if self.now and mine else ""

    def marks(self) -> list[str]:
        """The labels of the parts, then of the whole."""
        if self.now and self.now.kind == "label":
            return [*self.now.parts, self.now.label]
        return [""] * (len(self.item.parts) + 1)

    def go_to(self, position: int) -> None:
        self.position = max(0, min(position, len(self.queue.items) - 1))
        marks = self.marks()
        self.unit = marks.index("") if "" in marks else 0

    def go_to_undecided(self, start: int) -> None:
        """The first undecided item from `start` on, then from the top; else the next one."""
        count = len(self.queue.items)
        order = [*range(start, count), *range(min(start, count))]
        waiting = (i for i in order if not self.queue.settled(self.queue.items[i].id, self.view))
        self.go_to(next(waiting, start))

    def decided(self) -> int:
        return sum(self.queue.settled(item.id, self.view) for item in self.queue.items)

    def show(self) -> None:
        if self.console.is_terminal:
            self.console.clear()
        now, fields = self.now, self.queue.fields(self.item.id, self.view)
        rows: list[Text | Rule] = []
        # What can be edited comes last: a long text above it may scroll away.
        for name in sorted(fields, key=lambda name: name in self.item.editable):
            text = fields[name]
            edited = text != self.item.fields[name]
            rows.append(Text.assemble((name, "bold cyan"), (" edited" if edited else "", "cyan")))
            rows.append(Text(text + "\n"))
        if self.item.labels:
            rows += self.units()
        rows += [Text(f"! {note}", "yellow") for note in self.queue.notes(self.item.id)]
        if now and now.kind != "label":
            said = ": ".join(filter(None, [now.reason, now.comment]))
            rows.append(Text(f"{now.kind} by {now.reviewer} {said}", _COLOURS[now.kind]))
        elif self.item.editable and now and now.comment:
            rows.append(Text(f"{now.reviewer}: {now.comment}", _COLOURS["label"]))
        done, count = self.decided(), len(self.queue.items)
        place = f"{self.position + 1}/{count}  {done} decided, {count - done} left"
        self.console.print(
            Panel(Group(*rows), title=Text(self.item.title), subtitle=place, title_align="left")
        )
        if self.message:
            self.console.print(Text(self.message, "bold"))
        self.console.print(Text(self.help(), "dim"))

    def units(self) -> list[Text | Rule]:
        rows: list[Text | Rule] = [Rule(style="dim")]
        texts = [f"{i} {part}" for i, part in enumerate(self.item.parts, 1)] + ["the whole"]
        for index, (text, mark) in enumerate(zip(texts, self.marks(), strict=True)):
            here = index == self.unit
            rows.append(
                Text.assemble(
                    ("> " if here else "  ", "bold"),
                    (f"[{mark or ' '}] ", "green" if mark == self.item.labels[0] else "red"),
                    (text, "bold" if here else ""),
                )
            )
        return rows

    def help(self) -> str:
        labels = [f"{i} {label}" for i, label in enumerate(self.item.labels, 1)]
        keys = [*labels, "j/k part"] if labels else ["a accept"]
        edit = ["e edit"] if self.item.editable else []
        return "  ".join([*keys, *edit, "r reject", "n/p next/previous", "u undo", "q quit"])

    def farewell(self) -> None:
        left = len(self.queue.items) - self.decided()
        self.console.print(f"{self.decided()} decided, {left} left; everything is stored.")
