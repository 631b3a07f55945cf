"""What a queue's decisions come to: counts, reasons, reviewers and their agreement."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from ordojo.review.queue import ReviewQueue

MODEL_PREFIX = "model:"
"""Reviewers whose names begin so are language models, not people."""


@dataclass(frozen=True)
class Agreement:
    """Two reviewers on what both decided: whole items, or their parts.

    `kappa` is Cohen's; NaN where it is undefined (nothing in common, or no variation at all).
    """

    reviewers: tuple[str, str]
    unit: str
    n: int
    observed: float
    kappa: float


@dataclass(frozen=True)
class Statistics:
    """A queue in figures. `edited` items are accepted too, and not counted in `accepted`."""

    title: str
    items: int
    decided: int
    accepted: int
    edited: int
    rejected: int
    labelled: int
    reasons: Mapping[str, int]
    labels: Mapping[str, int]
    reviewers: Mapping[str, Mapping[str, int]]
    agreement: Sequence[Agreement]

    def to_json(self) -> dict[str, Any]:
        """Plain JSON; NaN becomes null."""
        row = asdict(self)
        for pair in row["agreement"]:
            for key in ("observed", "kappa"):
                pair[key] = None if math.isnan(pair[key]) else pair[key]
        return row


def statistics(queue: ReviewQueue) -> Statistics:
    """Count a queue's decisions as they hold now."""
    now = [d for item in queue.items if (d := queue.current(item.id)) and d.final]
    kinds = Counter(decision.kind for decision in now)
    reasons = Counter(decision.reason for decision in now if decision.kind == "reject")
    names = sorted({decision.reviewer for decision in queue.decisions})
    return Statistics(
        title=queue.title,
        items=len(queue.items),
        decided=len(now),
        accepted=kinds["accept"],
        edited=kinds["edit"],
        rejected=kinds["reject"],
        labelled=kinds["label"],
        reasons={reason: reasons[reason] for reason in queue.reasons if reasons[reason]},
        labels=dict(Counter(d.label for d in now if d.kind == "label").most_common()),
        reviewers={name: _kinds_of(queue, name) for name in names},
        agreement=agreements(queue),
    )


def agreements(queue: ReviewQueue) -> list[Agreement]:
    """Each two reviewers of a queue on what both decided."""
    names = sorted({decision.reviewer for decision in queue.decisions})
    return [a for one, two in combinations(names, 2) for a in _agreement(queue, one, two)]


def cohen_kappa(pairs: Sequence[tuple[str, str]]) -> float:
    """Agreement of two raters beyond chance; NaN where chance agreement is certain or n is 0."""
    n = len(pairs)
    first, second = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    chance = sum(first[name] * second[name] for name in first)
    if n == 0 or chance == n * n:
        return math.nan
    return (sum(a == b for a, b in pairs) / n - chance / n**2) / (1 - chance / n**2)


def _kinds_of(queue: ReviewQueue, name: str) -> dict[str, int]:
    mine = [d for item in queue.items if (d := queue.current(item.id, name)) and d.final]
    return dict(Counter(decision.kind for decision in mine))


def _agreement(queue: ReviewQueue, one: str, two: str) -> list[Agreement]:
    wholes: list[tuple[str, str]] = []
    parts: list[tuple[str, str]] = []
    for item in queue.items:
        a, b = queue.current(item.id, one), queue.current(item.id, two)
        if a and b and a.final and b.final:
            wholes.append((a.outcome, b.outcome))
            if a.kind == b.kind == "label":
                parts += zip(a.parts, b.parts, strict=True)
    return [
        Agreement((one, two), unit, len(p), sum(a == b for a, b in p) / len(p), cohen_kappa(p))
        for unit, p in (("items", wholes), ("parts", parts))
        if p
    ]
