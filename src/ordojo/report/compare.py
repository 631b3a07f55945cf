"""Paired comparisons of runs on the same items."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from ordojo.core.errors import UsageError
from ordojo.core.progress import counted
from ordojo.core.records import RunView
from ordojo.core.registry import get_benchmark
from ordojo.core.selection import labels
from ordojo.core.statistics import NOTHING, PairedComparison, holm, paired_comparison
from ordojo.report.study import Lookup, RunSummary, StudyColumn, column_key
from ordojo.report.text import finite, interval, p_value, signed

DRAWS = 10_000
"""Arrangements of a permutation test that stands alone: p from 0.0001, which Holm can multiply."""


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


def compare(first: Scores, second: Scores, draws: int = 2000) -> PairedComparison:
    """Compare two runs on the items that both have, by whole clusters."""
    common = sorted(first.keys() & second.keys())
    if not common:
        return PairedComparison(NOTHING, math.nan)
    return paired_comparison(
        [first[key][0] for key in common],
        [second[key][0] for key in common],
        [first[key][1] for key in common],
        draws,
    )


def pairs(column: StudyColumn) -> Sequence[Pair]:
    """Every pair of the column's runs once, the one that ranks higher first."""
    scores = [item_scores(summary.run) for summary in column.runs]
    return [
        Pair(i, j, compare(scores[i], scores[j])) for i, j in combinations(range(len(scores)), 2)
    ]


@dataclass(frozen=True)
class RunComparison:
    """Every pair of some runs on one dataset; `adjusted` are the pairs' p-values after Holm."""

    benchmark: str
    version: str
    dataset: str
    rule: str
    runs: tuple[str, ...]
    pairs: tuple[Pair, ...]
    adjusted: tuple[float, ...]

    def to_json(self) -> dict[str, Any]:
        """The comparison as plain JSON; what is not known is null."""
        found = {name: value for name, value in vars(self).items() if name != "adjusted"}
        found["pairs"] = [
            {
                "first": self.runs[pair.first],
                "second": self.runs[pair.second],
                **vars(pair.comparison.difference),
                "p_permutation": pair.comparison.p_value,
                "p_holm": adjusted,
                "first_better": pair.comparison.first,
                "second_better": pair.comparison.second,
                "p_sign": pair.comparison.sign_p,
                "detectable": pair.comparison.detectable,
                "items_needed": pair.comparison.needed,
            }
            for pair, adjusted in zip(self.pairs, self.adjusted, strict=True)
        ]
        plain: dict[str, Any] = finite(found)
        return plain

    def __str__(self) -> str:
        lines = [
            f"{self.benchmark} v{self.version} on {self.dataset}, mean score by rule {self.rule}"
        ]
        for pair, adjusted in zip(self.pairs, self.adjusted, strict=True):
            found, e = pair.comparison, pair.comparison.difference
            needed = "" if found.needed is None else f"; the seen one takes {found.needed:,} items"
            power = (
                f"80% power from a difference of {found.detectable:.3f}{needed}"
                if found.detectable == found.detectable
                else "the differences do not vary, so that nothing can be said of power"
            )
            lines += [
                f"{self.runs[pair.first]} minus {self.runs[pair.second]}",
                f"  difference {signed(e.value)}, 95% interval {interval(e)}; {e.n:,} items in "
                f"{e.clusters:,} clusters",
                f"  permutation p {p_value(found.p_value)}, Holm {p_value(adjusted)}; sign test "
                f"(McNemar) p {p_value(found.sign_p)}, better in {found.first} and {found.second}",
                f"  {power}",
            ]
        return "\n".join(lines)


def compare_runs(runs: Sequence[RunView], lookup: Lookup = get_benchmark) -> RunComparison:
    """Compare every pair of runs in their order; raises UsageError where they are no pair."""
    if len(runs) < 2:
        raise UsageError(f"comparing takes two runs or more, and here is {len(runs)}; name another")
    benchmark = lookup(runs[0].header.benchmark)
    home = (*column_key(runs[0].header, benchmark), runs[0].header.rule)
    names = ("benchmark", "version", "dataset", "hash of the dataset", "rule")
    for run in runs[1:]:
        key = (*column_key(run.header, lookup(run.header.benchmark)), run.header.rule)
        for name, mine, other in zip(names, home, key, strict=True):
            if mine != other:
                raise UsageError(
                    f"{runs[0].name} and {run.name} are not comparable: their {name} is {mine} "
                    f"and {other}; name runs of the same"
                )
    scores = [item_scores(run) for run in runs]
    found = tuple(
        Pair(i, j, compare(scores[i], scores[j], DRAWS))
        for i, j in counted(list(combinations(range(len(runs)), 2)), "comparing pairs")
    )
    for pair in found:
        if not pair.comparison.difference.n:
            first, second = runs[pair.first].name, runs[pair.second].name
            raise UsageError(f"{first} and {second} have no scored item in common; name others")
    named = labels(runs, benchmark.setting)
    adjusted = holm([pair.comparison.p_value for pair in found])
    return RunComparison(*home[:3], home[4], tuple(named), found, tuple(adjusted))


def label(summary: RunSummary, column: StudyColumn) -> str:
    """A run's label, with its name where two runs of the column have the same."""
    same = [other for other in column.runs if other.label == summary.label]
    return summary.label if len(same) == 1 else f"{summary.label} ({summary.run.name})"
