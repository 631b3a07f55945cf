"""What labels say of a family, and of a whole model."""

from dataclasses import dataclass
from typing import Any

from ordojo.formulation.vocabulary import Scaffold, Semantic, name


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
    """A guess at the application class: main and problem class of table 9, score in (0, 1].

    `confidence` is how probable it is that the class is this one; what is left to 1 is for others.
    """

    major: str
    sub: str
    score: float
    evidence: str
    confidence: float = 0.0

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
            "confidence": self.confidence,
            "evidence": self.evidence,
        }
