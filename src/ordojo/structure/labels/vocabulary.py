"""The labels of constraint families: semantic types and loop scaffolds (paper 003, appendix D)."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Any


class Semantic(IntEnum):
    """The 17 semantic constraint types (table 4), by their numbers there."""

    UPPER_BOUND = 1
    UPPER_SUM = 2
    UPPER_WEIGHTED_SUM = 3
    UPPER_PROPORTION = 4
    LOWER_BOUND = 5
    LOWER_SUM = 6
    LOWER_WEIGHTED_SUM = 7
    LOWER_PROPORTION = 8
    COMPARISON = 9
    IMPLICATION = 10
    EXACTLY_ONE = 11
    AT_LEAST_ONE = 12
    AT_MOST_ONE = 13
    EQUALITY = 14
    AGGREGATION = 15
    INDICATOR = 16
    DOMAIN = 17


class Scaffold(IntEnum):
    """The 9 loop scaffolds (table 5), (i) to (ix)."""

    GLOBAL = 1
    SINGLE_LOOP = 2
    NESTED_LOOP = 3
    SUBSET = 4
    COUPLED = 5
    CYCLIC = 6
    WINDOW = 7
    PAIRWISE = 8
    REPLICATED = 9


def name(label: Semantic | Scaffold) -> str:
    """A label in words."""
    return label.name.lower().replace("_", " ")


@dataclass(frozen=True)
class FamilyLabel:
    """A family's labels; `why` and `how` are the evidence for type and scaffold.

    `miplib` is the commonest class of its rows, `classes` counts all of them.
    """

    family: int
    size: int
    semantic: Semantic
    why: str
    scaffold: Scaffold
    how: str
    miplib: str
    classes: dict[str, int]

    def to_json(self) -> dict[str, Any]:
        """Plain JSON; types by their names in lower case."""
        return {
            "family": self.family,
            "size": self.size,
            "semantic": name(self.semantic),
            "why": self.why,
            "scaffold": name(self.scaffold),
            "how": self.how,
            "miplib": self.miplib,
            "classes": self.classes,
        }


@dataclass(frozen=True)
class Application:
    """A guess at the application class: main and problem class of table 9, score in (0, 1]."""

    major: str
    sub: str
    score: float
    evidence: str

    @property
    def name(self) -> str:
        """The problem class."""
        return self.sub

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return {
            "major": self.major,
            "sub": self.sub,
            "score": self.score,
            "evidence": self.evidence,
        }
