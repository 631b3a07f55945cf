"""Verdicts, and the pure functions with a name that give them."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from ordojo.core.canonical import Json
from ordojo.core.episode import REFUSED, Episode
from ordojo.core.errors import BenchmarkError
from ordojo.core.instance import Instance
from ordojo.core.readers.turn import after_thinking

Outcome = Literal["correct", "partial", "wrong", "unparsed", "unsupported", "unscored"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a named rule says of an episode.

    `score` lies in [0, 1] and is None exactly when the outcome is "unscored" (undecidable:
    counted, never averaged). "unsupported" is an answer that asks for what we do not have: its
    score is 0, so that asking for it never pays, and it is counted apart from the wrong ones.
    `answer` is the answer as it was read, None if unparsed. `kind` is the outcome in the rule's own
    finer terms, where it has such; the reason is for readers alone.
    """

    rule: str
    outcome: Outcome
    score: float | None
    answer: Json = None
    reason: str = ""
    metrics: Mapping[str, float] = field(default_factory=dict)
    kind: str = ""

    def __post_init__(self) -> None:
        if (self.score is None) != (self.outcome == "unscored"):
            raise BenchmarkError(
                f"rule '{self.rule}' gave outcome '{self.outcome}' with score {self.score}: "
                "only an unscored verdict has no score"
            )
        if self.score is not None and not (math.isfinite(self.score) and 0 <= self.score <= 1):
            raise BenchmarkError(f"rule '{self.rule}' gave score {self.score}, outside [0, 1]")

    def to_json(self) -> dict[str, Any]:
        """The verdict as plain JSON, but for its rule, under which it is kept."""
        return {
            "outcome": self.outcome,
            "score": self.score,
            "answer": self.answer,
            "reason": self.reason,
            "metrics": dict(self.metrics),
            **({"kind": self.kind} if self.kind else {}),
        }


Judge = Callable[[Instance[Any], Episode], Verdict]
"""A pure function from an instance and an episode to a verdict; the same one serves evaluation,
re-scoring of stored runs, and training reward."""


def judge_all(
    rules: Mapping[str, Judge], instance: Instance[Any], episode: Episode
) -> dict[str, Verdict]:
    """Every rule's verdict by name.

    Where no answer could be read, the reason says what the last reply lacks: it is empty, was
    refused, or was cut at the token limit.
    """
    verdicts = {name: judge(instance, episode) for name, judge in rules.items()}
    lack = _lack(episode)
    if not lack:
        return verdicts
    return {
        name: replace(v, reason="; ".join(filter(None, (lack, v.reason))))
        if v.outcome == "unparsed"
        else v
        for name, v in verdicts.items()
    }


def _lack(episode: Episode) -> str:
    if not episode.turns:
        return ""
    last = episode.turns[-1]
    if last.stop == REFUSED:
        return "the reply was refused (content filter)"
    empty = not after_thinking(last.reply)
    if last.cut:
        limit = f" of {last.max_tokens:,}" if last.max_tokens else ""
        said = " before anything was answered" if empty else ""
        return f"the reply was cut at the token limit{limit}{said}"
    return "the reply is empty" if empty else ""
