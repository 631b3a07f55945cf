"""What a library's constants and parameters are read from, and the parameters of one model.

A text lists constants, and parameters with their ranges; the values govern solves and their log.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from ordojo.solvers.problem import Settings


class AnyName(type):
    """The metaclass of a library's constants: type checkers take all of them to be there."""

    if TYPE_CHECKING:

        def __getattr__(cls, name: str) -> Any: ...


def spelled(text: str) -> dict[str, str]:
    """The names that a text has, as `name=value` where that is another."""
    pairs = (word.partition("=") for word in text.split())
    return {name: value or name for name, _, value in pairs}


def numbered(text: str) -> dict[str, int]:
    """The constants that a text has as `name=number`."""
    return {name: int(value) for name, value in spelled(text).items()}


@dataclass(frozen=True, slots=True)
class SolverParameter:
    """One parameter; `low` and `high` bound a number."""

    name: str
    kind: type[int] | type[float] | type[str]
    default: Any
    low: float = 0.0
    high: float = 0.0


def parameters(text: str) -> Iterator[SolverParameter]:
    """The parameters that a text has as `name=default,low,high`, or `name=default` for texts.

    One is whole where its default is written so.
    """
    for word in text.split():
        name, _, values = word.partition("=")
        default, *limits = values.split(",")
        if limits:
            kind = int if default.lstrip("-").isdigit() else float
            yield SolverParameter(name, kind, kind(default), *map(float, limits))
        else:
            yield SolverParameter(name, str, default)


class ParameterValues:
    """The values of one environment or model; only what differs from the default is kept.

    An interface's class has the parameters by their names in small letters, the solver's settings
    with the names of the limits and tolerances that they are told, the names of all parameters
    that have an effect, a set for the names of others that the process has set, and what is said of
    a name that is none.
    """

    by_lower: ClassVar[Mapping[str, SolverParameter]]
    told: ClassVar[Mapping[str, str]]
    honoured: ClassVar[frozenset[str]]
    ignored: ClassVar[set[str]]
    unknown: ClassVar[str]

    def __init__(self, changed: Mapping[str, Any] | None = None) -> None:
        self.changed: dict[str, Any] = dict(changed or {})

    def __getitem__(self, name: str) -> Any:
        return self.changed.get(name, self.by_lower[name.lower()].default)

    def found(self, name: Any) -> SolverParameter:
        """The parameter of that name, in any case; AttributeError where there is none."""
        parameter = self.by_lower.get(str(name).lower())
        if parameter is None:
            raise AttributeError(f"{self.unknown} '{name}'")
        return parameter

    def _keep(self, parameter: SolverParameter, value: Any) -> None:
        if value == parameter.default:
            self.changed.pop(parameter.name, None)
        else:
            self.changed[parameter.name] = value
        if parameter.name not in self.honoured:
            self.ignored.add(parameter.name)

    def _told(self, **more: Any) -> Settings:
        """What of the parameters the solver service is told, and more; infinity is no limit."""
        given = {field: self.changed.get(name) for field, name in self.told.items()}
        finite = {field: v for field, v in given.items() if v is not None and math.isfinite(v)}
        unheeded = tuple(sorted(set(self.changed) - self.honoured))
        return Settings(**finite, **more, ignored=unheeded)


def read_pairs(filename: str, failed: Exception) -> list[tuple[str, str]]:
    """Name and value in each line of a file but comments; `failed` where it cannot be read."""
    try:
        text = Path(filename).read_text(encoding="utf-8")
    except OSError:
        raise failed from None
    words = [line.split(maxsplit=1) for line in text.splitlines()]
    found = [(word[0], "".join(word[1:]).strip()) for word in words if word]
    return [pair for pair in found if not pair[0].startswith("#")]


def opened(file: str) -> bool:
    """Whether the log file can be written, where one is named; it is made."""
    try:
        if file:
            Path(file).open("a", encoding="utf-8").close()
    except OSError:
        return False
    return True


def write_log(
    texts: Sequence[str], console: Callable[[str], object] | None, file: str | Path
) -> None:
    """Print lines where there is a console, and add them to the log file where there is one."""
    text = "".join(f"{line}\n" for line in texts)
    if console is not None:
        console(text)
    if file:
        with suppress(OSError), Path(file).open("a", encoding="utf-8") as log:
            log.write(text)
