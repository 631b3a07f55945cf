"""What a seed problem is: a feasible model with the story it was written from."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ordojo.benchmarks.or_debug.families.words import Draw
from ordojo.milp.builder import ModelBuilder, Sense
from ordojo.milp.model import Model

Role = Literal[
    "demand",
    "capacity",
    "balance",
    "minimum",
    "maximum",
    "ratio",
    "logic",
    "definition",
]
"""What a row does in its problem; injectors choose by it."""


@dataclass(frozen=True)
class Seed:
    """A feasible, bounded model with a nonzero optimum, before sabotage.

    `text` tells the problem in words, with every number of the model and no name of a row. `roles`
    maps each row's name to its `Role`.
    """

    model: Model
    text: str
    roles: Mapping[str, Role]


@dataclass(frozen=True)
class Family:
    """One kind of problem: its name, a title, the kinds it comes in, and what tells one."""

    name: str
    title: str
    kinds: tuple[Literal["LP", "MIP"], ...]
    tell: Callable[[Draw], Seed]

    def make(self, rng: np.random.Generator) -> Seed:
        """A seed problem; depends on the generator alone and takes less than a millisecond."""
        return self.tell(Draw(rng))


class SeedBuilder(ModelBuilder):
    """A model builder that also keeps the roles of the rows."""

    def __init__(self, name: str, maximize: bool = False) -> None:
        super().__init__(name, maximize)
        self.roles: dict[str, Role] = {}

    def rule(
        self, name: str, role: Role, terms: Mapping[str, float], sense: Sense, rhs: float
    ) -> None:
        """Add a row with its role."""
        self.row(name, terms, sense, float(rhs))
        self.roles[name] = role

    def seed(self, text: str) -> Seed:
        """The seed problem."""
        return Seed(self.build(), text, self.roles)
