"""What a function's signature and docstring say of its arguments, for all that is made of them.

What an argument may be stands in its annotation (`Annotated[float, SECONDS]`, a `Literal`, any
type), what it means under `Args:` in the docstring. `checked` refuses other values, and tells
the range in the docstring; the command line makes its options of them, and an assistant's tools
their descriptions.
"""

import functools
import inspect
import os
import re
import reprlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, ParamSpec, TypeVar, Union, get_args, get_origin

from ordojo.core.errors import UsageError
from ordojo.core.ranges import NumberRange

P = ParamSpec("P")
R = TypeVar("R")
TEXTS = (str, bytes)
TAKEN: dict[Any, Any] = {float: Real, int: Integral, Path: os.PathLike}
"""What else counts as a type: numpy's numbers, other libraries' paths."""
NOUNS = {str: "text", Path: "path", float: "number", int: "whole number", Any: "value"}


@dataclass(frozen=True)
class Argument:
    """An argument of a function: `hint` is its annotation, `says` what it means."""

    name: str
    hint: Any
    parameter: inspect.Parameter
    says: str

    @functools.cached_property
    def kinds(self) -> tuple[Any, ...]:
        """Its types without None."""
        return parts(self.hint)[0]

    @functools.cached_property
    def notes(self) -> tuple[Any, ...]:
        """What its annotation has beside the types."""
        return parts(self.hint)[1]

    @functools.cached_property
    def allowed(self) -> NumberRange | None:
        """The numbers that it may be, where that is said."""
        return next((note for note in self.notes if isinstance(note, NumberRange)), None)

    @functools.cached_property
    def choices(self) -> tuple[Any, ...]:
        """The values that it may have, where they are listed."""
        return tuple(
            one for kind in self.kinds if get_origin(kind) is Literal for one in get_args(kind)
        )

    @property
    def needed(self) -> bool:
        """Whether it has no default."""
        own = self.parameter
        return own.default is own.empty and own.kind not in (own.VAR_POSITIONAL, own.VAR_KEYWORD)

    def check(self, value: Any, name: str = "") -> Any:
        """The value; a single one in a tuple, where several are meant.

        Raises UsageError, in a sentence, for one that the annotation leaves out.
        """
        name = name or f"`{self.name}`"
        if value is None and (self.parameter.default is None or fits(None, self.hint)):
            return None
        if self.allowed is not None:
            return self.allowed.check(name, value)
        if fits(value, self.hint):
            return value
        if fits((value,), self.hint):  # a text is a sequence of letters to Python alone
            return (value,)
        raise UsageError(f"{name} {shown(value)}: give {self.meant}")

    @property
    def meant(self) -> str:
        """What may be given, as a sentence goes on after "give"."""
        if self.allowed is not None:
            return self.allowed.meant
        if self.choices:
            return f"one of {', '.join(map(str, self.choices))}"
        if self.kinds == (bool,):
            return "true or false"
        nouns = _nouns(self.kinds)
        return " or ".join(f"{'an' if noun[0] in 'AEIOU' else 'a'} {noun}" for noun in nouns)


def shown(value: Any) -> str:
    """A value in a sentence, in few characters."""
    return str(value) if isinstance(value, Path) else " ".join(reprlib.repr(value).split())


def fits(value: Any, hint: Any) -> bool:
    """Whether a value is what an annotation says; any collection but a text is a sequence."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint is Any:
        return True
    if origin is Annotated:
        return fits(value, inner[0])
    if origin in (Union, UnionType):
        return any(fits(value, one) for one in inner)
    if origin is Literal:
        return isinstance(value, str) and value in inner
    if origin is Callable:
        return callable(value)
    if origin is Sequence:
        several = isinstance(value, Collection) and not isinstance(value, (*TEXTS, Mapping))
        return several and _all_fit(value, inner[0])
    if origin is Mapping:
        mapped = isinstance(value, Mapping)
        return mapped and _all_fit(value, inner[0]) and _all_fit(value.values(), inner[1])
    return isinstance(value, TAKEN.get(hint, origin or hint))


def _all_fit(values: Iterable[Any], hint: Any) -> bool:
    """Whether each is what an annotation says; a plan may have a million of them."""
    if isinstance(hint, type) and hint is not Any:
        kind = TAKEN.get(hint, hint)
        return all(isinstance(one, kind) for one in values)
    return all(fits(one, hint) for one in values)


def _nouns(kinds: Sequence[Any]) -> list[str]:
    """What values of these types are called; a path may always be a text."""
    found: list[str] = []
    for kind in kinds:
        origin = get_origin(kind) or kind
        if origin is Callable:
            found.append("function")
        elif origin in (Sequence, tuple, Mapping):
            inside = [one for one in get_args(kind) if one is not ...]
            inner = [f"{' or '.join(_nouns(parts(one)[0]))}s" for one in inside]
            found.append(f"{'mapping' if origin is Mapping else 'list'} of {' to '.join(inner)}")
        elif not (kind is str and Path in kinds):
            found.append(NOUNS.get(kind, origin.__name__))
    return list(dict.fromkeys(found))


def arguments(function: Callable[..., Any]) -> dict[str, Argument]:
    """The arguments of a function, in their order."""
    return dict(_arguments(function))


@functools.cache
def _arguments(function: Callable[..., Any]) -> tuple[tuple[str, Argument], ...]:
    own = inspect.unwrap(function)  # whose docstring is as it was written
    told = described(own)
    found = []
    for name, parameter in inspect.signature(own).parameters.items():
        hint = Any if parameter.annotation is parameter.empty else parameter.annotation
        found.append((name, Argument(name, hint, parameter, told.get(name, ""))))
    return tuple(found)


def parts(hint: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The types of an annotation without None, and what it notes beside them."""
    if get_origin(hint) is Annotated:
        inside, *notes = get_args(hint)
        kinds, deeper = parts(inside)
        return kinds, (*notes, *deeper)
    if get_origin(hint) in (Union, UnionType):
        each = [parts(one) for one in get_args(hint) if one is not type(None)]
        return tuple(k for kinds, _ in each for k in kinds), tuple(n for _, ns in each for n in ns)
    return (hint,), ()


def summary(function: Callable[..., Any]) -> str:
    """What the docstring says before its sections and examples."""
    return re.split(r"^(?:Args|Returns|Raises|Examples):$", _doc(function), flags=re.M)[0].strip()


def described(function: Callable[..., Any]) -> Mapping[str, str]:
    """What the docstring's `Args:` say of each argument, each in one line."""
    found = re.search(r"^Args:\n((?:(?: {4}.*)?\n)*)", _doc(function) + "\n", re.M)
    entries = re.split(r"^ {4}(?=\S)", found[1], flags=re.M)[1:] if found else []
    split = (entry.partition(":") for entry in entries)
    return {name.strip("* "): " ".join(says.split()) for name, _, says in split}


def _doc(function: Callable[..., Any]) -> str:
    return inspect.getdoc(function) or ""


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """The function, which raises UsageError for an argument that its annotation leaves out.

    In the docstring each argument's range or choices follow what it means.
    """
    signature = inspect.signature(function)

    @functools.wraps(function)
    def checking(*args: P.args, **kwargs: P.kwargs) -> R:
        known = arguments(function)
        bound = signature.bind(*args, **kwargs)
        for name, value in bound.arguments.items():
            one = known[name]
            if one.parameter.kind is one.parameter.VAR_POSITIONAL:
                bound.arguments[name] = tuple(map(one.check, value))
            elif one.parameter.kind is not one.parameter.VAR_KEYWORD:
                bound.arguments[name] = one.check(value)
        return function(*bound.args, **bound.kwargs)

    checking.__doc__ = _doc(function)
    for one in arguments(function).values():
        if one.allowed is not None or one.choices:
            entry = rf"(^    {one.name}: .*(?:\n {{5,}}.*)*)"
            told = f"\\1\n        {one.meant[0].upper()}{one.meant[1:]}."
            checking.__doc__ = re.sub(entry, told, checking.__doc__, count=1, flags=re.M)
    return checking
