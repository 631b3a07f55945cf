"""What a function's signature and docstring say of its arguments, for all that is made of them.

A range or a set of values stands in the annotation (`Annotated[float, SECONDS]`, a `Literal`), what
an argument means under `Args:` in the docstring. `checked` refuses other values, the command line
makes its options of them, and an assistant's tools their descriptions.
"""

import functools
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import SimpleNamespace, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    ParamSpec,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from ordojo.core.errors import UsageError
from ordojo.core.ranges import NumberRange

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True)
class Argument:
    """An argument of a function: `kinds` are its types without None, `says` is what it means.

    `notes` are what its annotation has beside the types.
    """

    name: str
    kinds: tuple[Any, ...]
    notes: tuple[Any, ...]
    parameter: inspect.Parameter
    says: str

    @property
    def allowed(self) -> NumberRange | None:
        """The numbers that it may be, where that is said."""
        return next((note for note in self.notes if isinstance(note, NumberRange)), None)

    @property
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

    def check(self, value: Any) -> None:
        """Raise UsageError, in a sentence, for a value that its annotation leaves out."""
        if value is None:
            return
        if self.allowed is not None:
            self.allowed.check(f"`{self.name}`", value)
        if self.choices and value not in self.choices:
            listed = ", ".join(map(str, self.choices))
            raise UsageError(f"`{self.name}` {str(value)[:40]!r}: give one of {listed}")


def arguments(function: Callable[..., Any]) -> dict[str, Argument]:
    """The arguments of a function, in their order."""
    return dict(_arguments(function))


@functools.cache
def _arguments(function: Callable[..., Any]) -> tuple[tuple[str, Argument], ...]:
    # What comes back is left out: its type may be one that is loaded only when it is used.
    own = inspect.unwrap(function)
    taken = SimpleNamespace(__annotations__={**own.__annotations__, "return": None})
    hints = get_type_hints(taken, own.__globals__, include_extras=True)
    told = described(function)
    found = []
    for name, parameter in inspect.signature(function).parameters.items():
        kinds, notes = parts(hints.get(name, Any))
        found.append((name, Argument(name, kinds, notes, parameter, told.get(name, ""))))
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
    """The function, which raises UsageError for an argument that its annotation leaves out."""
    signature = inspect.signature(function)

    @functools.wraps(function)
    def checking(*args: P.args, **kwargs: P.kwargs) -> R:
        known = arguments(function)
        for name, value in signature.bind(*args, **kwargs).arguments.items():
            known[name].check(value)
        return function(*args, **kwargs)

    return checking
