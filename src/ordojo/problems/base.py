"""A template: knobs, a generator of data, and the declaration of the model over the data.

A new template is a `Spec` in a module of `library/`, and a function under `template` that draws its
tables feasible by construction; its name stands in `registry`. Everything else follows from those:
the model with the truth about its groups and families, the words, model.md and solve.py
(`ordojo.formulation`), folders with verified optima (`instances`), fresh ORQA questions.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ordojo.core.errors import UsageError
from ordojo.core.ranges import NumberRange
from ordojo.core.seeds import generator
from ordojo.formulation.spec import Column, Number, Objective, Spec, Tables
from ordojo.milp.tolerances import SAME

SIZES = ("small", "medium", "large")
Knobs = Mapping[str, Number]
Rng = np.random.Generator
Drawn = Mapping[str, Mapping[str, Column | NDArray[Any]]]
"""Tables as they are drawn: a column may be an array."""
TOWNS = (
    "Aalen", "Bergen", "Cadiz", "Delft", "Evora", "Fulda", "Genoa", "Halle", "Izmir", "Jena",
    "Kiel", "Lyon", "Malmo", "Narvik", "Oulu", "Porto", "Riga", "Siena", "Turku", "Ulm",
)  # fmt: skip
"""Names for places, for any set of them."""


@dataclass(frozen=True)
class Knob:
    """A structural parameter: its values by size, in the order of SIZES, and its range.

    A whole number unless one of the values is a float.
    """

    name: str
    meaning: str
    values: tuple[Number, Number, Number]
    low: Number
    high: Number

    @property
    def whole(self) -> bool:
        """Whether only whole numbers are allowed."""
        return all(isinstance(value, int) for value in self.values)

    def read(self, text: str | Number) -> Number:
        """A given value; raises UsageError where it is no such number or out of range."""
        value: Number = NumberRange(self.low, self.high, self.whole).parse(
            f"knob {self.name}", str(text)
        )
        return value


Sides = tuple[str, ...]
"""What a family is about, and its two sides as noun phrases where they have some: left, right."""


@dataclass(frozen=True)
class Words:
    """What a declaration can be told with beyond its own texts, so that no two tellings are alike.

    `who` plans (the scenario names it); `tellings` set the scene in other words than the scenario.
    `nouns` are words that may stand for each other ("drum cask keg", "/" before a plural that is
    not regular, "_" for a blank). `goals` are other objectives over the same model, `rules` the
    `Sides` of families: one with both, its variables all on the left, may be told and meant with
    another sense. `pairs` says what an element of a set of tuples is; `optional` families may be
    left out; `scenes` say for one of them what of the scenario tells of it, and what is told then.
    """

    who: str
    tellings: tuple[str, ...]
    nouns: tuple[str, ...]
    goals: tuple[Objective, ...]
    rules: Mapping[str, Sides]
    pairs: Mapping[str, str] = field(default_factory=dict)
    optional: tuple[str, ...] = ()
    scenes: Mapping[str, tuple[str, str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Template:
    """A parametric family of instances.

    `application` is (main class, subclass) of paper 003's table 9. `drawn` makes the tables from a
    random generator and the knobs, in their order; the same ones give the same tables. `needs` says
    whether knobs go together, and what to do where they do not. Questions are made of templates
    that have `words`.
    """

    name: str
    title: str
    application: tuple[str, str]
    knobs: tuple[Knob, ...]
    spec: Spec
    drawn: Callable[..., Drawn]
    needs: tuple[Callable[..., bool], str] | None = None
    words: Words | None = None

    def settings(
        self, size: str = "small", given: Mapping[str, str | Number] | None = None
    ) -> Knobs:
        """The knobs of a size, with those given in their place; raises UsageError."""
        if size not in SIZES:
            raise UsageError(f"there is no size '{size}'; choose one of {', '.join(SIZES)}")
        knobs = {knob.name: knob.values[SIZES.index(size)] for knob in self.knobs}
        for name, text in (given or {}).items():
            if name not in knobs:
                known = ", ".join(knobs)
                raise UsageError(f"{self.name} has no knob '{name}'; it has {known}")
            knobs[name] = next(knob for knob in self.knobs if knob.name == name).read(text)
        if self.needs and not self.needs[0](*knobs.values()):
            raise UsageError(f"{self.name}: {self.needs[1]}")
        return knobs

    def draw(self, rng: Rng, knobs: Knobs) -> Tables:
        """The data that a generator gives under these knobs, arrays as lists, row by row."""
        values = ((int if k.whole else float)(knobs[k.name]) for k in self.knobs)
        return {
            name: {
                column: found.ravel().tolist() if isinstance(found, np.ndarray) else found
                for column, found in columns.items()
            }
            for name, columns in self.drawn(rng, *values).items()
        }

    def tables(self, knobs: Knobs, seed: int, index: int, attempt: int = 0) -> Tables:
        """The data of instance `index` under a seed; `attempt` counts redraws."""
        split = f"template/{self.name}" + (f"/{attempt}" if attempt else "")
        return self.draw(generator(seed, split, index), knobs)


def template(
    title: str,
    application: tuple[str, str],
    spec: Spec,
    *knobs: Knob,
    needs: tuple[Callable[..., bool], str] | None = None,
    words: Words | None = None,
) -> Callable[[Callable[..., Drawn]], Template]:
    """Makes a function that draws tables the template of its name; see `Template`."""
    return lambda drawn: Template(
        drawn.__name__, title, application, knobs, spec, drawn, needs, words
    )


def ids(count: int) -> Column:
    """A key column of the numbers 1, ..., count."""
    return list(range(1, count + 1))


def cross(**sizes: int) -> dict[str, Column]:
    """Key columns of all combinations of 1, ..., size, the last one fastest."""
    rows = list(product(*(range(1, size + 1) for size in sizes.values())))
    return {name: [row[k] for row in rows] for k, name in enumerate(sizes)}


def row(**values: float) -> dict[str, Column]:
    """The one row of scalar parameters; whole numbers are written as such."""
    return {name: [value] for name, value in values.items()}


def above(values: ArrayLike, step: int = 5) -> NDArray[np.int64]:
    """The next multiples of `step` at or above some values."""
    return step * np.ceil(np.asarray(values) / step - SAME).astype(np.int64)


def under(values: ArrayLike, step: int = 5) -> NDArray[np.int64]:
    """The next multiples of `step` at or below some values."""
    return step * np.floor(np.asarray(values) / step + SAME).astype(np.int64)
