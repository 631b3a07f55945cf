"""Numbers and sentences for the stories."""

import math
from collections.abc import Iterable, Sequence
from typing import TypeVar

import numpy as np

T = TypeVar("T")

TOWNS = (
    "Aalen", "Bergen", "Cadiz", "Delft", "Evora", "Fulda", "Genoa", "Halle", "Izmir", "Jena",
    "Kiel", "Lyon", "Malmo", "Narvik", "Oulu", "Porto", "Riga", "Siena", "Turku", "Ulm",
)  # fmt: skip
FIRMS = (
    "Alder & Sons", "Brightwater", "Corvo", "Dunmore", "Elmfield", "Fairlight", "Glenmoor",
    "Hartwell", "Ivory Lane", "Juniper Hill", "Kestrel", "Larkspur", "Marlow", "Northgate",
)  # fmt: skip


def num(value: float) -> str:
    """A number as people write it: shortest exact form, no trailing '.0'."""
    return repr(float(value)).removesuffix(".0")


def up(value: float, step: int) -> int:
    """The next multiple of `step` at or above a value."""
    return math.ceil(value / step - 1e-9) * step


def down(value: float, step: int) -> int:
    """The next multiple of `step` at or below a value."""
    return math.floor(value / step + 1e-9) * step


def listing(items: Iterable[str], last: str = "and") -> str:
    """Things in a row: `a, b and c`."""
    found = list(items)
    return found[0] if len(found) == 1 else f"{', '.join(found[:-1])} {last} {found[-1]}"


def each(values: Iterable[float], names: Iterable[str], link: str = "for") -> str:
    """Numbers with what they are for: `3 for rye and 4 for oat`."""
    return listing(f"{num(v)} {link} {name}" for v, name in zip(values, names, strict=True))


def dot(a: Iterable[float], b: Iterable[float]) -> float:
    """The sum of products."""
    return sum(x * y for x, y in zip(a, b, strict=True))


def slug(name: str) -> str:
    """A name as part of an identifier."""
    return name.lower().replace(" ", "_").replace("-", "_")


class Draw:
    """What a story leaves to chance."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng

    def chance(self, share: float) -> bool:
        """True, in this share of all draws."""
        return float(self._rng.random()) < share

    def near(self, value: float, low: float, high: float) -> float:
        """A value times a factor between `low` and `high`."""
        return value * (low + (high - low) * float(self._rng.random()))

    def whole(self, low: int, high: int, step: int = 1) -> int:
        """A multiple of `step` from `low` to `high`, both of them multiples."""
        return int(self._rng.integers(low // step, high // step + 1)) * step

    def wholes(self, count: int, low: int, high: int, step: int = 1) -> list[int]:
        """`count` multiples of `step` from `low` to `high`."""
        return [int(v) * step for v in self._rng.integers(low // step, high // step + 1, count)]

    def one(self, pool: Sequence[T]) -> T:
        """One of a pool."""
        return pool[int(self._rng.integers(len(pool)))]

    def some(self, pool: Sequence[T], count: int) -> list[T]:
        """`count` different ones of a pool, in random order."""
        return [pool[i] for i in self._rng.permutation(len(pool))[:count]]

    def firm(self) -> str:
        """The name of a firm."""
        return self.one(FIRMS)

    def town(self) -> str:
        """The name of a town."""
        return self.one(TOWNS)

    def story(self, opening: str, facts: Iterable[str], goal: str) -> str:
        """One paragraph, the goal told either first or last."""
        told = [text for text in facts if text]
        first = self.chance(0.5)
        return " ".join([opening, goal, *told] if first else [opening, *told, goal])
