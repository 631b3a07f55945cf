"""Reading `-T key=value` settings into a benchmark's typed options."""

import inspect
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator
from pydantic.fields import FieldInfo

from ordojo.core.errors import UsageError, meant
from ordojo.core.ranges import NumberRange
from ordojo.core.signatures import Argument, parts, shown


class Options(BaseModel):
    """Base of every benchmark's options: frozen, typed, and closed against misspelt names.

    `parameters` where each is a parameter of a function and an option of a command.
    """

    parameters: ClassVar[bool] = False

    model_config = ConfigDict(frozen=True, extra="forbid", strict=False, allow_inf_nan=False)

    @classmethod
    def names(cls, settings: Mapping[str, Any]) -> list[str]:
        """The names that may stand in `settings`."""
        return list(cls.model_fields)

    def warnings(self) -> Iterator[str]:
        """A line for each setting that a trainer should know something of: here none."""
        yield from ()


class Beside(Options):
    """Options beside which those stand, in `own`, that a benchmark declares for trainers.

    They are given by their names, as the others are; which there are, `names` says.
    """

    own: dict[str, Any] = {}

    @model_validator(mode="before")
    @classmethod
    def _apart(cls, given: Any) -> Any:
        if not isinstance(given, Mapping):
            return given
        own = {key: value for key, value in given.items() if key not in cls.model_fields}
        rest = {key: value for key, value in given.items() if key in cls.model_fields}
        return {**rest, "own": {**rest.get("own", {}), **own}}

    def of(self, kind: type["O"], owner: str, **more: Any) -> "O":
        """What of the `own` ones is of a class, with others; raises UsageError, as it is parsed."""
        known = {key: value for key, value in self.own.items() if key in kind.model_fields}
        return parse_options(kind, {**more, **known}, owner)


O = TypeVar("O", bound=Options)  # noqa: E741 - the conventional letter


def parse_options(kind: type[O], settings: Mapping[str, Any], owner: str) -> O:
    """Make options of `kind` from settings by name; values may be text.

    Raises UsageError, in one sentence, for an unknown name or a value that does not fit.
    """
    known = kind.names(settings)
    for name in settings:
        if name not in known:
            hint = meant(name, known) or f"it has: {', '.join(known)}"
            raise UsageError(f"{owner} has no option '{name}'; {hint}")
    try:
        return kind.model_validate(dict(settings))
    except ValidationError as error:
        raise refusal(error, kind, owner) from None


def refusal(error: ValidationError, kind: type[Options], owner: str) -> UsageError:
    """The first thing that is wrong with settings, as one sentence."""
    first = error.errors()[0]
    where, value = ".".join(str(part) for part in first["loc"]) or "options", first.get("input")
    why = first["msg"].removeprefix("Value error, ")
    if len(first["loc"]) == 1 and (field := kind.model_fields.get(where)):
        one = argument_of(where, field)
        if one.allowed or one.choices or first["type"].endswith(("_type", "_parsing")):
            why = f"give {one.meant}"
    if first["type"] == "path_not_file":
        why = "there is no such file"
    if kind.parameters:
        return UsageError(f"`{where}` {shown(value)}: {why}")
    return UsageError(f"{owner} cannot use {where}={value!r}: {why}")


def argument_of(name: str, field: FieldInfo) -> Argument:
    """The field as an argument of a function: its types, its range, its default, its words."""
    hint: Any = field.annotation
    kinds, notes = parts(hint)
    told = [*field.metadata, *(m for note in notes for m in getattr(note, "metadata", [note]))]
    low, high = (next((getattr(m, end) for m in told if hasattr(m, end)), None) for end in ENDS)
    if kinds[0] in (int, float) and low is not None and high is not None:
        hint = Annotated[hint, NumberRange(low, high, whole=kinds[0] is int)]
    none = inspect.Parameter.empty
    default = none if field.is_required() else field.get_default(call_default_factory=True)
    own = inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
    return Argument(name, hint, own, field.description or "")


ENDS = ("ge", "le")
"""What the ends of a field's range are called in its metadata."""


def in_chat(kind: type[Options], settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """The settings, with mode=chat where a benchmark would otherwise continue a raw prompt.

    Another mode that is chosen stays, and is for the caller to refuse or to carry.
    """
    mode = kind.model_fields.get("mode")
    if mode is None or "mode" in settings or mode.default == "chat":
        return settings
    return {**settings, "mode": "chat"} if "chat" in get_args(mode.annotation) else settings


def options_for(
    benchmark: str, benchmarks: Sequence[str], settings: Mapping[str, Any]
) -> Mapping[str, Any]:
    """The settings of one of several benchmarks: its own `name.key`, and those without a name.

    Raises UsageError for a name that is none of theirs.
    """
    own: dict[str, Any] = {}
    for key, value in settings.items():
        owner, dot, name = key.partition(".")
        owner = owner.replace("_", "-")
        if not dot:
            own.setdefault(key, value)
        elif owner == benchmark:
            own[name] = value
        elif owner not in benchmarks:
            raise UsageError(f"`{key}={value}`: '{owner}' is not among the benchmarks asked for")
    return own
