"""Verdicts, and the pure functions with a name that give them."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ordojo.core.canonical import Json
from ordojo.core.episode import Episode
from ordojo.core.errors import BenchmarkError
from ordojo.core.instance import Instance

Outcome = Literal["correct", "partial", "wrong", "unparsed", "unscored"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a named rule says of an episode.

    `score` lies in [0, 1] and is None exactly when the outcome is "unscored" (undecidable:
    counted, never averaged). `answer` is the answer as it was read, None if unparsed.
    """

    rule: str
    outcome: Outcome
    score: float | None
    answer: Json = None
    reason: str = ""
    metrics: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if (self.score is None) != (self.outcome == "unscored"):
            raise BenchmarkError(
                f"rule '{self.rule}' gave outcome '{self.outcome}' with score {self.score}: "
                "only an unscored verdict has no score"
            )
        if self.score is not None and not (math.isfinite(self.score) and 0 <= self.score <= 1):
            raise BenchmarkError(f"rule '{self.rule}' gave score {self.score}, outside [0, 1]")


Judge = Callable[[Instance[Any], Episode], Verdict]
"""A pure function from an instance and an episode to a verdict; the same one serves evaluation,
re-scoring of stored runs, and training reward."""
