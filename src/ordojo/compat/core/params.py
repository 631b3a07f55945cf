"""A solver's parameters: a table of them, and the values that a model has."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter; `low` and `high` bound a number."""

    name: str
    kind: type[int] | type[float] | type[str]
    default: Any
    low: float = 0.0
    high: float = 0.0


def numeric(kind: type[int] | type[float], text: str) -> Iterator[Parameter]:
    """The parameters that a text has as `name=default,low,high`."""
    for word in text.split():
        name, numbers = word.split("=")
        default, low, high = numbers.split(",")
        yield Parameter(name, kind, kind(default), float(low), float(high))


class Kept:
    """The values of one environment or model; only what differs from the default is kept.

    An interface's class has the parameters by their names in small letters, the names of those
    that have an effect, and a set for the names of others that the process has set.
    """

    by_lower: ClassVar[Mapping[str, Parameter]]
    honoured: ClassVar[frozenset[str]]
    ignored: ClassVar[set[str]]

    def __init__(self, changed: Mapping[str, Any] | None = None) -> None:
        self.changed: dict[str, Any] = dict(changed or {})

    def __getitem__(self, name: str) -> Any:
        return self.changed.get(name, self.by_lower[name.lower()].default)

    def _keep(self, parameter: Parameter, value: Any) -> None:
        if value == parameter.default:
            self.changed.pop(parameter.name, None)
        else:
            self.changed[parameter.name] = value
        if parameter.name not in self.honoured:
            self.ignored.add(parameter.name)

    def _unheeded(self) -> tuple[str, ...]:
        return tuple(sorted(set(self.changed) - self.honoured))
