"""Arguments and options of a command, each made from an argument of a function; their types."""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_origin

import click

from ordojo.api.kinds import ANYWHERE, DATA, LANGUAGE_MODEL
from ordojo.cli.progress import shown_as
from ordojo.core.errors import UsageError
from ordojo.core.ranges import NumberRange
from ordojo.core.signatures import Argument, parts
from ordojo.core.spread import Place

if TYPE_CHECKING:
    from ordojo.core.options import Options


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


class OneOf(click.Choice):  # type: ignore[type-arg]  # click before 8.2 has no such
    """One of the values that an argument may have."""

    def __init__(self, one: Argument) -> None:
        super().__init__(one.choices)
        self.one = one

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The value; UsageError, in the words of the function, where it is none of them."""
        return self.one.check(value, shown_as(param))


class Number(click.ParamType):  # type: ignore[type-arg]  # click before 8.4 has no such
    """A number of a range, which the help shows."""

    name = "number"

    def __init__(self, allowed: NumberRange) -> None:
        self.allowed = allowed

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """The range."""
        return str(self.allowed)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number; UsageError, with the range, where it is none of it."""
        return self.allowed.parse(shown_as(param), str(value))


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


PATH = click.Path(path_type=Path)
PLAIN = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
REST = inspect.Parameter.VAR_POSITIONAL
SETTINGS = inspect.Parameter.VAR_KEYWORD


def is_callback(one: Argument) -> bool:
    """Whether it is called, so that no text can stand for it."""
    return _origins(one) == {Callable}


def parameter(
    one: Argument,
    flags: Sequence[str] | None = None,
    metavar: str | None = None,
    reader: "click.ParamType[Any] | None" = None,
) -> click.Argument | click.Option:
    """The argument or option of a function's argument."""
    kind, default = one.parameter.kind, one.parameter.default
    reader = reader or _type(one)
    if kind is SETTINGS:
        shown = metavar or "KEY=VALUE"
        return click.Option(["-T", one.name], multiple=True, metavar=shown, help=one.says)
    if flags is None and kind in (*PLAIN, REST):
        many = -1 if kind is REST or _is_many(one) else 1
        needed = not (metavar or "").startswith("[") and (one.needed or kind is REST)
        return click.Argument([one.name], type=reader, nargs=many, required=needed, metavar=metavar)
    needed = one.needed and not (metavar or "").startswith("[")
    told: dict[str, Any] = {"help": one.says, "metavar": (metavar or "").strip("[]") or None}
    if bool in one.kinds:
        told |= {"is_flag": True, "default": bool(default)}
        told |= {} if flags and "/" in flags[0] else {"flag_value": not default}
    elif _is_many(one):
        told |= {"multiple": True, "type": reader, "required": needed}
        if Mapping in _origins(one):
            numbers = any(get_args(kind)[1:] == (float,) for kind in one.kinds)
            told |= {"type": click.STRING, "callback": _numbers if numbers else _texts}
            told["metavar"] = metavar or "NAME=VALUE"
    else:
        told |= {"type": reader, "required": needed}
        told |= {} if one.needed else {"default": default}
        told["show_default"] = default not in (None, "", one.parameter.empty)
    if Place in one.kinds:
        told["metavar"] = "PLACE"
    return click.Option([*(flags or [f"--{one.name.replace('_', '-')}"]), one.name], **told)


def settings_of(kind: "type[Options]") -> Iterator[click.Parameter]:
    """The options of settings, by name."""
    from ordojo.core.options import argument_of  # and pydantic, which other commands do without

    for name, field in kind.model_fields.items():
        given = field.json_schema_extra
        more: dict[str, Any] = {**given} if isinstance(given, dict) else {}
        if more.get("option", True):
            flags = more.get("flags") or [f"--{name.replace('_', '-')}"]
            reader = LanguageModel() if name == "model" else None
            yield parameter(argument_of(name, field), list(flags), more.get("metavar"), reader)


def _is_many(one: Argument) -> bool:
    """Whether several values are given, each by itself; a file in a mapping's place is one."""
    mapped = Mapping in _origins(one) and Path not in one.kinds
    return mapped or bool({Sequence, tuple} & _origins(one)) or one.parameter.kind is REST


def _origins(one: Argument) -> set[Any]:
    return {get_origin(kind) for kind in one.kinds}


def _type(one: Argument) -> "click.ParamType[Any] | None":
    """What a value is read as: a number of a range, one of several words, a path, or text."""
    told = [parts(k) for kind in one.kinds for k in (get_args(kind) if _is_many(one) else (kind,))]
    kinds = {kind for found, _ in told for kind in found}
    notes = {*one.notes, *(note for _, found in told for note in found)}
    if Place in kinds:
        return PlaceType()
    if one.choices:
        return OneOf(one)
    if one.allowed is not None:
        return Number(one.allowed)
    if LANGUAGE_MODEL in notes:
        return LanguageModel()
    if ANYWHERE in notes:
        return PathOrUrl()
    if DATA in notes:
        return click.STRING
    if Any in kinds or Path in kinds:
        return PATH
    return click.STRING


class PathOrUrl(click.Path):
    """A path, or an address with a scheme, which stays the text that it is."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path, or the text."""
        return value if "://" in str(value) else super().convert(value, param, ctx)


def _numbers(
    context: click.Context, option: click.Parameter, given: Sequence[str]
) -> Mapping[str, float]:
    """Of texts NAME=NUMBER the numbers by name, "inf" among them."""
    found = {}
    for text in given:
        name, equals, number = text.rpartition("=")
        if not equals:
            raise UsageError(f"{option.opts[0]} {text}: give NAME=NUMBER")
        try:
            found[name] = float(number)
        except ValueError:
            told = f"{option.opts[0]} {name} {number}: give a number"
            raise UsageError(told) from None
    return found


def _texts(
    context: click.Context, option: click.Parameter, given: Sequence[str]
) -> Mapping[str, str]:
    """Of texts KEY=VALUE the values by key."""
    return parse_settings(given, option.opts[0])
