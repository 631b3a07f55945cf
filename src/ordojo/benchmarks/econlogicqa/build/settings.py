"""What a build is asked to do, and how far it is."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ordojo.core.errors import UsageError


@dataclass(frozen=True)
class BuildSettings:
    """Everything that decides which questions come out of the models and the checks.

    `orderings` is how often a model is asked for the order, at `temperature`, and `agreement` the
    least share of these that must give the stated order. Likeness is the Jaccard index of word
    5-grams: an article or question from `article_likeness` or `question_likeness` on is rejected
    as a duplicate of an earlier one, and from `related` on two questions get into the same split.
    """

    seed: int
    model: str = ""
    limit: int | None = None
    orderings: int = 5
    agreement: float = 0.6
    temperature: float = 0.7
    judge_sensitive: bool = False
    article_likeness: float = 0.25
    question_likeness: float = 0.25
    related: float = 0.1

    def check(self, sizes: Sequence[float]) -> None:
        """Raise UsageError for settings that make no sense."""
        if len(sizes) != 3 or min(sizes) < 0 or sum(sizes) <= 0:
            raise UsageError(f"sizes are three shares, of train, val and test, not {tuple(sizes)}")
        if self.orderings < 0 or (self.limit is not None and self.limit < 1):
            raise UsageError("the numbers of orderings and of articles cannot be negative or 0")
        shares = (self.agreement, self.article_likeness, self.question_likeness, self.related)
        if min(shares) <= 0:
            raise UsageError("agreement and likeness are shares above 0 (above 1: never)")


@dataclass(frozen=True)
class BuildStatus:
    """How far a build is: at "review" `waiting` questions wait for a person, at "done" it is
    written to `out`.
    """

    stage: Literal["review", "done"]
    articles: int
    generated: int
    rejected_automatically: int
    rejected_by_person: int
    waiting: int
    accepted: int
    queue: Path
    out: Path

    @property
    def command(self) -> str:
        """The command that opens what waits."""
        return f"ordojo review open {shlex.quote(str(self.queue))}"

    def __str__(self) -> str:
        counts = (
            f"{self.articles} articles, {self.generated} questions generated, "
            f"{self.rejected_automatically} rejected by checks, "
            f"{self.rejected_by_person} by a person, {self.accepted} accepted"
        )
        if self.stage == "done":
            return f"{counts}; written to {self.out}"
        return (
            f"{counts}; {self.waiting} wait for review: run '{self.command}', "
            "then the same build again"
        )
