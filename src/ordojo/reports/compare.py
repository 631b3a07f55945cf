"""Paired comparisons of runs on the same items."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from ordojo.core.benchmark import AnyBenchmark
from ordojo.core.errors import UsageError
from ordojo.core.progress import counted
from ordojo.core.records import RunView
from ordojo.core.registry import get_benchmark
from ordojo.core.selection import labels
from ordojo.core.statistics import NOTHING, PairedComparison, holm, paired_comparison
from ordojo.reports.study import Key, Lookup, RunSummary, StudyColumn, column_key
from ordojo.reports.text import finite, interval, p_value, signed


@dataclass(frozen=True)
class Pair:
    """Two runs, by index, and how the first differs from the second.

    `adjusted` is the permutation test's p after Holm's correction over `among` pairs.
    """

    first: int
    second: int
    comparison: PairedComparison
    adjusted: float
    among: int

    @property
    def resolved(self) -> bool:
        """Whether the permutation test, so corrected, rejects equality at 0.05."""
        return self.adjusted < 0.05


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


def compared(runs: Sequence[RunView]) -> tuple[Pair, ...]:
    """Every pair of the runs once, in their order."""
    scores = [item_scores(run) for run in runs]
    places = list(combinations(range(len(runs)), 2))
    told = counted(places, "comparing pairs") if places else ()
    found = [compare(scores[i], scores[j]) for i, j in told]
    adjusted = holm([one.p_value for one in found])
    among = sum(one.difference.n > 0 for one in found)
    return tuple(
        Pair(i, j, one, p, among) for (i, j), one, p in zip(places, found, adjusted, strict=True)
    )


def pairs(column: StudyColumn) -> Sequence[Pair]:
    """Every pair of the column's runs of one headline rule, the one that ranks higher first."""
    found: list[Pair] = []
    for rule in dict.fromkeys(run.header.rule for run in column.runs):
        places = [i for i, run in enumerate(column.runs) if run.header.rule == rule]
        for pair in compared([column.runs[place].run for place in places]):
            found.append(replace(pair, first=places[pair.first], second=places[pair.second]))
    return found


@dataclass(frozen=True)
class RunComparison:
    """Every pair of runs that share benchmark, version, dataset and rule; one alone has none."""

    benchmark: str
    version: str
    dataset: str
    rule: str
    runs: tuple[str, ...]
    pairs: tuple[Pair, ...]

    def to_json(self) -> dict[str, Any]:
        """The comparison as plain JSON; what is not known is null."""
        rows = [
            {
                "first": self.runs[pair.first],
                "second": self.runs[pair.second],
                **vars(pair.comparison.difference),
                "p_permutation": pair.comparison.p_value,
                "p_holm": pair.adjusted,
                "pairs": pair.among,
                "first_better": pair.comparison.first,
                "second_better": pair.comparison.second,
                "p_sign": pair.comparison.sign_p,
                "detectable": pair.comparison.detectable,
                "items_needed": pair.comparison.needed,
            }
            for pair in self.pairs
        ]
        plain: dict[str, Any] = finite({**vars(self), "pairs": rows})
        return plain

    def __str__(self) -> str:
        head = f"{self.benchmark} v{self.version} on {self.dataset}, mean score by rule {self.rule}"
        if not self.pairs:
            return f"{head}\n{self.runs[0]}: alone, compared with nothing"
        return "\n".join([head, *(line for pair in self.pairs for line in self._told(pair))])

    def _told(self, pair: Pair) -> Iterator[str]:
        found, e = pair.comparison, pair.comparison.difference
        yield f"{self.runs[pair.first]} minus {self.runs[pair.second]}"
        if not e.n:
            yield "  no scored item in common, not compared"
            return
        yield (
            f"  difference {signed(e.value)}, 95% interval {interval(e)}; {e.n:,} items in "
            f"{e.clusters:,} clusters"
        )
        pairs = f" over {pair.among:,} pairs" if pair.among > 1 else ""
        yield (
            f"  permutation p {p_value(found.p_value)}, Holm {p_value(pair.adjusted)}{pairs}; sign "
            f"test (McNemar) p {p_value(found.sign_p)}, better in {found.first} and {found.second}"
        )
        needed = "" if found.needed is None else f"; the seen one takes {found.needed:,} items"
        yield (
            f"  80% power from a difference of {found.detectable:.3f}{needed}"
            if found.detectable == found.detectable
            else "  the differences do not vary, so that nothing can be said of power"
        )


def compare_runs(
    runs: Sequence[RunView], lookup: Lookup = get_benchmark
) -> tuple[RunComparison, ...]:
    """Compare every pair of comparable runs, group by group, all in their order.

    Raises UsageError where no two of them have an item in common.
    """
    if len(runs) < 2:
        raise UsageError(f"comparing takes two runs or more, and here is {len(runs)}; name another")
    groups: dict[tuple[Key, str], list[RunView]] = {}
    for run in runs:
        key = column_key(run.header, lookup(run.header.benchmark))
        groups.setdefault((key, run.header.rule), []).append(run)
    named = {key: _dataset(key, [other for other, _ in groups]) for key, _ in groups}
    found = tuple(
        _group(lookup(key[0]), key[1], named[key], rule, group)
        for (key, rule), group in groups.items()
    )
    if not any(pair.among for one in found for pair in one.pairs):
        raise UsageError(_none_comparable(groups))
    return found


def _dataset(key: Key, keys: Sequence[Key]) -> str:
    alike = {other for other in keys if other[:3] == key[:3]}
    return key[2] if len(alike) == 1 else f"{key[2]}@{key[3][:12]}"


def _group(
    benchmark: AnyBenchmark, version: str, dataset: str, rule: str, runs: Sequence[RunView]
) -> RunComparison:
    named = tuple(labels(runs, benchmark.setting))
    return RunComparison(benchmark.name, version, dataset, rule, named, compared(runs))


def _none_comparable(groups: Mapping[tuple[Key, str], Sequence[RunView]]) -> str:
    several = next((group for group in groups.values() if len(group) > 1), None)
    if several is not None:
        return f"{several[0].name} and {several[1].name} have no scored item in common; name others"
    (home, (first, *_)), (there, (second, *_)) = list(groups.items())[:2]
    names = ("benchmark", "version", "dataset", "hash of the dataset", "rule")
    known = zip(names, (*home[0], home[1]), (*there[0], there[1]), strict=True)
    name, mine, other = next(one for one in known if one[1] != one[2])
    return (
        f"{first.name} and {second.name} are not comparable: their {name} is {mine} and {other}; "
        "name runs of the same"
    )


def label(summary: RunSummary, column: StudyColumn) -> str:
    """A run's label, with its name where two runs of the column have the same."""
    same = [other for other in column.runs if other.label == summary.label]
    return summary.label if len(same) == 1 else f"{summary.label} ({summary.run.name})"
