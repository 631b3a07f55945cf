"""Where the terminal review gets its keys and texts: a keyboard, or lines of a script."""

import os
from collections.abc import Mapping
from typing import Protocol, TextIO

import click

from ordojo.core.errors import UsageError

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
