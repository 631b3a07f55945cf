"""Types of the command line's options, and its `key=value` settings."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from ordojo.core.errors import UsageError
from ordojo.core.ranges import NumberRange
from ordojo.core.spread import Place


class RunsPath(click.Path):
    """A folder of runs, at a path or at any fsspec URL: what the command gets is a folder here."""

    def __init__(self, write: bool = False) -> None:
        super().__init__(path_type=Path)
        self._write = write

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The folder, put back to its URL when the command ends."""
        if ctx is None or "://" not in str(value):
            return super().convert(value, param, ctx)
        from ordojo.evaluation.remote import at_hand

        return ctx.with_resource(at_hand(value, write=self._write))


class Number(click.ParamType):  # type: ignore[type-arg]  # click before 8.4 has no such
    """A number of a range, which the help shows."""

    name = "number"

    def __init__(self, allowed: NumberRange) -> None:
        self.allowed = allowed

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """The range."""
        return str(self.allowed)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number; a usage error, with the range, where it is none of it."""
        name = param.opts[0] if param is not None else ""
        try:
            return self.allowed.parse(name, str(value))
        except UsageError as error:
            raise click.UsageError(str(error), ctx) from None


class LanguageModel(click.ParamType):  # type: ignore[type-arg]  # click before 8.4 has no such
    """A model's name; an extra that it needs is missed at once, not after the work before it."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name as it is; ProviderError where it cannot be run here."""
        if value.startswith("ordojo/"):
            from ordojo.evaluation.providers.embedded import check_runner

            check_runner(value)
        return str(value)


class PlaceType(click.ParamType):  # type: ignore[type-arg]  # click before 8.4 has no such
    """Where work is done."""

    name = "place"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Place:
        """The place; a usage error where it is none."""
        return Place.parse(value)


def parse_settings(given: Sequence[str], flag: str) -> Mapping[str, str]:
    """Split `key=value` texts; raises UsageError for another form or a key given twice."""
    settings: dict[str, str] = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise UsageError(f"{flag} takes KEY=VALUE, not '{text}'")
        if key in settings:
            raise UsageError(f"{flag} {key} is given twice")
        settings[key.replace("-", "_")] = value
    return settings
