"""Samples with their verdicts under one rule; what asking an item several times shows: pass@k."""

import math
from collections.abc import Callable, Mapping, Sequence

from ordojo.core.judge import Verdict
from ordojo.core.records import SampleRecord
from ordojo.core.statistics import Estimate, mean_interval

Judged = tuple[SampleRecord, Verdict]


def judged(records: Sequence[SampleRecord], rule: str) -> list[Judged]:
    """The records that were judged, each with its verdict under `rule`."""
    return [(r, v) for r in records if (v := r.verdict(rule)) is not None]


def scored(records: Sequence[SampleRecord], rule: str) -> list[Judged]:
    """The records that `rule` scored, each with its verdict."""
    return [pair for pair in judged(records, rule) if pair[1].score is not None]


def share(found: Sequence[Judged], value: Callable[[Verdict], float | None]) -> Estimate:
    """Mean of a value in [0, 1] over the samples that have it, by clusters."""
    pairs = [(x, record.cluster) for record, verdict in found if (x := value(verdict)) is not None]
    return mean_interval([x for x, _ in pairs], [cluster for _, cluster in pairs])


def pass_at(
    found: Sequence[Judged], name: str, *, clustered: bool = False
) -> Mapping[str, Estimate]:
    """The chance that one of k samples is right, for k up to the most samples of an item.

    Every k up to 16, then its doubles.

    Unbiased, over all choices of k among the n scored samples of an item: 1 - C(n - c, k) / C(n, k)
    with c right ones; then the mean over the items with at least k. Intervals are over items, or,
    `clustered`, over their clusters.
    """
    counts: dict[tuple[str, str, str], tuple[int, int]] = {}
    for record, verdict in found:
        if verdict.score is not None:
            key = (record.id, record.content_hash, record.cluster or record.id)
            n, c = counts.get(key, (0, 0))
            counts[key] = (n + 1, c + (verdict.score >= 1))
    most = max((n for n, _ in counts.values()), default=1)
    figures = {}
    for k in (k for k in range(1, most + 1) if k <= 16 or k.bit_count() == 1):
        asked = {key: nc for key, nc in counts.items() if nc[0] >= k}
        chances = [1 - math.comb(n - c, k) / math.comb(n, k) for n, c in asked.values()]
        groups = [key[2] for key in asked] if clustered else None
        figures[f"{name}@{k}"] = mean_interval(chances, groups)
    return figures
