"""Paired comparisons of runs on the same items."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ordojo.core.records import RunView
from ordojo.core.statistics import NOTHING, PairedComparison, paired_comparison
from ordojo.report.study import RunSummary, StudyColumn


@dataclass(frozen=True)
class Pair:
    """Two runs of a column, by index, and how the first differs from the second."""

    first: int
    second: int
    comparison: PairedComparison

    @property
    def resolved(self) -> bool:
        """Whether the permutation test rejects equality at 0.05."""
        return self.comparison.p_value < 0.05


Scores = dict[tuple[str, str], tuple[float, str]]


def item_scores(run: RunView) -> Scores:
    """Mean score over epochs of every scored item, under the run's headline rule, with cluster.

    Keys are (id, content hash), so that items are the same only if their content is.
    """
    found: dict[tuple[str, str], list[float]] = {}
    clusters: dict[tuple[str, str], str] = {}
    for record in run.records:
        verdict = record.verdict(run.header.rule)
        if verdict is not None and verdict.score is not None:
            key = (record.id, record.content_hash)
            found.setdefault(key, []).append(verdict.score)
            clusters[key] = record.cluster or record.id
    return {key: (sum(xs) / len(xs), clusters[key]) for key, xs in found.items()}


def compare(first: Scores, second: Scores) -> PairedComparison:
    """Compare two runs on the items that both have, by whole clusters."""
    common = sorted(first.keys() & second.keys())
    if not common:
        return PairedComparison(NOTHING, math.nan)
    return paired_comparison(
        [first[key][0] for key in common],
        [second[key][0] for key in common],
        [first[key][1] for key in common],
    )


def pairs(column: StudyColumn) -> Sequence[Pair]:
    """Every pair of the column's runs once, the one that ranks higher first."""
    scores = [item_scores(summary.run) for summary in column.runs]
    return [
        Pair(i, j, compare(scores[i], scores[j]))
        for i in range(len(scores))
        for j in range(i + 1, len(scores))
    ]


def label(summary: RunSummary, column: StudyColumn) -> str:
    """A run's label, with its name where two runs of the column have the same."""
    same = [other for other in column.runs if other.label == summary.label]
    return summary.label if len(same) == 1 else f"{summary.label} ({summary.run.name})"
