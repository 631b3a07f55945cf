"""OR-Debug-Bench's figures: recovery, diagnosis, optimality, steps, tokens, attempts, drift.

Also the difficulty of error types: levels by what is recovered of each (C.11).
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

import numpy as np

from ordojo.benchmarks.or_debug.schema import DIFFICULTY, SILENT, TYPES
from ordojo.core.records import SampleRecord, one_in, scored
from ordojo.core.statistics import NOTHING, Z95, Estimate, mean_interval

K = 20
"""RR@k is given for k = 1 to 20, as in figure 5."""

HEADLINES = {"full": "full", "recovered": "rr", "optimal": "feasible", "no-drift": "no_drift"}
"""What stands first under each rule; a rule "rr@k" stands for itself."""

LEVELS = ("easy", "medium", "hard")
KINDS = ("LP", "MIP")


class Played(NamedTuple):
    """One judged episode: its record, the measures of its verdict (see `judges`)."""

    record: SampleRecord
    measures: Mapping[str, float]

    def within(self, k: int) -> float:
        """1 for a full success within `k` counted steps."""
        return float(self.measures["full"] > 0 and self.measures["steps"] <= k)

    def feasible(self, k: float) -> float:
        """1 where OPTIMAL was met within `k` counted steps, whatever the objective."""
        return float(self.measures.get("first_optimal", math.inf) <= k)

    def within_replies(self, k: float) -> float:
        """1 where OPTIMAL was met within `k` replies of any kind."""
        return float(self.measures.get("optimal_reply", math.inf) <= k)

    @property
    def known(self) -> bool:
        """Whether it could be told if its model has drifted."""
        return not self.measures.get("drift_unknown")

    @property
    def tokens(self) -> int:
        """Tokens in and out."""
        return self.record.usage.input_tokens + self.record.usage.output_tokens


def played(records: Sequence[SampleRecord], rule: str) -> list[Played]:
    """The records that `rule` scored."""
    return [Played(record, verdict.metrics) for record, verdict in scored(records, rule)]


def share(found: Sequence[Played], value: Callable[[Played], float | None]) -> Estimate:
    """Mean of a value in [0, 1] over the episodes that have it, clustered by instance."""
    pairs = [(x, p.record.cluster) for p in found if (x := value(p)) is not None]
    return mean_interval([x for x, _ in pairs], [cluster for _, cluster in pairs])


def ratio(found: Sequence[Played], above: str, below: str = "") -> Estimate:
    """Sum of one measure over the sum of another (or over the episodes that have the first).

    The 95% interval is the normal one of the linearised ratio, robust by instance; none for a
    single instance. A sum of 0 below the line gives nothing.
    """
    used = [p for p in found if above in p.measures]
    bottom = [p.measures[below] if below else 1.0 for p in used]
    return _ratio([p.measures[above] for p in used], bottom, [p.record.cluster for p in used])


def _ratio(top: Sequence[float], bottom: Sequence[float], clusters: Sequence[str]) -> Estimate:
    a, b = np.asarray(top, dtype=float), np.asarray(bottom, dtype=float)
    total = float(b.sum())
    if total <= 0:
        return NOTHING
    value = float(a.sum()) / total
    _, groups = np.unique(np.asarray(clusters), return_inverse=True)
    sums = np.bincount(groups, weights=a - value * b)
    count = len(sums)
    if count < 2:
        return Estimate(value, math.nan, math.nan, len(a), count)
    reach = Z95 * math.sqrt(float((sums**2).sum()) * count / (count - 1)) / total
    return Estimate(value, value - reach, value + reach, len(a), count)


def metrics(records: Sequence[SampleRecord], rule: str) -> Mapping[str, Estimate]:
    """All figures; only the first, the share that passes `rule`, depends on it.

    "steps" is the mean over episodes that ended OPTIMAL, "counted_steps" over all. "op" is over
    episodes that ended OPTIMAL, as are "drift", "cut_off", "relaxed" and "collateral", but for
    those of which drift is not known ("drift_unknown"); "da" and its kin are over all
    (equation 3). Tokens are those in and out together (table 33), and "tokens_per_success" divides
    all of them by the full successes within 5 steps.
    """
    found = played(records, rule)
    figures = _recovery(found) | _diagnosis(found) | _cost(found)
    silent = [kind for kind in SILENT if any(p.record.labels.get("type") == kind for p in found)]
    for label, values in (("type", (*TYPES, *silent)), ("difficulty", LEVELS), ("kind", KINDS)):
        for value in values:
            part = [p for p in found if p.record.labels.get(label) == value]
            figures |= {f"{name}/{value}": e for name, e in _brief(part).items()}
    for level in LEVELS:
        part = [p for p in found if p.record.labels.get("difficulty") == level]
        for k in range(1, K + 1):
            figures[f"rr@{k}/{level}"] = share(part, lambda p, k=k: p.within(k))  # type: ignore[misc]
    for k in (1, 5, 10, 20):
        figures[f"authors-rr@{k}"] = share(found, lambda p, k=k: p.within_replies(k))  # type: ignore[misc]
    figures |= attempts(found)
    headline = HEADLINES.get(rule, rule)
    figures.pop(headline, None)
    passes = [p.record.verdicts[rule].score or 0.0 for p in found]
    return {headline: mean_interval(passes, [p.record.cluster for p in found]), **figures}


def _recovery(found: Sequence[Played]) -> dict[str, Estimate]:
    solved = [p for p in found if p.measures["solved"]]
    clear = [p for p in solved if p.known]
    figures = {
        "rr": share(found, lambda p: p.measures["full"] + p.measures["partial"]),
        "full": share(found, lambda p: p.measures["full"]),
        "feasible": share(found, lambda p: p.measures["optimal"]),
        "no_drift": share(
            found, lambda p: float(p.known and p.measures["full"] > p.measures["drift"])
        ),
        "op": share(solved, lambda p: p.measures.get("op")),
    }
    for k in range(1, K + 1):
        figures[f"rr@{k}"] = share(found, lambda p, k=k: p.within(k))  # type: ignore[misc]
    for k in range(1, K + 1):
        figures[f"feasible@{k}"] = share(found, lambda p, k=k: p.feasible(k))  # type: ignore[misc]
    for name in ("drift", "cut_off", "relaxed"):
        figures[name] = share(clear, lambda p, name=name: p.measures[name])  # type: ignore[misc]
    figures["drift_unknown"] = share(solved, lambda p: float(not p.known))
    figures["collateral"] = share(clear, lambda p: float(p.measures["collateral"] > 0))
    return figures


def _diagnosis(found: Sequence[Played]) -> dict[str, Estimate]:
    names = ("da", "da_beyond", "da_precision", "da_verified", "named", "touched")
    figures = {
        name: share(found, lambda p, name=name: p.measures.get(name))  # type: ignore[misc]
        for name in names
        if name != "da_beyond" or any(name in p.measures for p in found)  # runs of version 2
    }
    figures["authors_da"] = ratio(found, "iis_rows_acted", "iis_rows")
    if kept := [p for p in found if p.measures["optimal"] and "rows_kept" in p.measures]:
        figures["authors_fp"] = share(kept, lambda p: p.measures["rows_kept"])
    return figures


def _cost(found: Sequence[Played]) -> dict[str, Estimate]:
    figures = {
        "steps": ratio(found, "steps"),
        "counted_steps": ratio(found, "counted"),
        "turns": ratio(found, "turns"),
        "diagnostics": ratio(found, "diagnostics"),
        "invalid_rate": ratio(found, "invalid", "turns"),
    }
    if any(p.tokens for p in found):
        clusters = [p.record.cluster for p in found]
        every = [float(p.tokens) for p in found]
        out = [float(p.record.usage.output_tokens) for p in found]
        ones = [1.0] * len(found)
        figures["tokens"] = _ratio(every, ones, clusters)
        wins = [1000.0 * (p.measures["optimal"] > 0) for p in found]
        figures["authors_te"] = _ratio(wins, every, clusters)
        figures["output_tokens"] = _ratio(out, ones, clusters)
        figures["tokens_per_success"] = _ratio(every, [p.within(5) for p in found], clusters)
    return figures


def _brief(found: Sequence[Played]) -> dict[str, Estimate]:
    solved = [p for p in found if p.measures["solved"]]
    return {
        "rr@5": share(found, lambda p: p.within(5)),
        "rr": share(found, lambda p: p.measures["full"] + p.measures["partial"]),
        "da": share(found, lambda p: p.measures.get("da")),
        "op": share(solved, lambda p: p.measures.get("op")),
        "steps": ratio(found, "steps"),
        "drift": share([p for p in solved if p.known], lambda p: p.measures["drift"]),
    }


def attempts(found: Sequence[Played]) -> dict[str, Estimate]:
    """The multi-attempt protocol (algorithm 2) over the epochs of each instance.

    "attempts@k" is the chance that one of k attempts is a full success, taken over all choices of
    k among those made, for every k that each instance has attempts for; with all of them it is
    algorithm 2's success. "first_success_step" is the least step of an instance's full successes.
    Empty with one epoch.
    """
    groups: dict[tuple[str, str], list[Mapping[str, float]]] = {}
    for record, measures in found:
        groups.setdefault((record.id, record.content_hash), []).append(measures)
    most = min(map(len, groups.values()), default=0)
    if most < 2:
        return {}
    won = [[m["steps"] for m in tries if m["full"]] for tries in groups.values()]
    counts = [(len(tries), len(full)) for tries, full in zip(groups.values(), won, strict=True)]
    figures = {
        f"attempts@{k}": mean_interval([one_in(k, *nc) for nc in counts])
        for k in range(1, most + 1)
    }
    best = [min(steps) for steps in won if steps]
    figures["first_success_step"] = _ratio(best, [1.0] * len(best), [*map(str, range(len(best)))])
    return figures


RANGES: Mapping[str, tuple[float, float]] = {
    "easy": (0.85, 1.0),
    "medium": (0.70, 0.85),
    "hard": (0.45, 0.70),
    "reject": (0.0, 0.45),
}
"""Target RR@5 of each level (table 24); below 45% a type is rejected as too difficult."""

ROUNDS = 10
"""More rounds than the two or three that the paper needed; moves by a type's own rate settle."""


def level(rate: float) -> str:
    """The level whose range holds an RR@5; the lower end belongs to it."""
    return next(name for name, (low, _) in RANGES.items() if rate >= low)


@dataclass(frozen=True)
class Calibration:
    """Levels of the error types, the mean RR@5 of each level, and the rounds until stable."""

    levels: Mapping[str, str]
    means: Mapping[str, float]
    rounds: int


def calibrate(rates: Mapping[str, float]) -> Calibration:
    """Group the types of `rates` (RR@5 by type) from `DIFFICULTY`, round after round until stable.

    A level whose mean lies in its range is left as it is; of one outside, every type whose own
    rate belongs elsewhere moves there (C.11, steps 3 to 5).
    """
    levels = {name: DIFFICULTY[name] for name in rates}
    rounds = 0
    while True:
        rounds += 1
        means = _means(rates, levels)
        moved = {
            name: level(rate) if level(means[levels[name]]) != levels[name] else levels[name]
            for name, rate in rates.items()
        }
        if moved == levels or rounds == ROUNDS:
            return Calibration(levels, means, rounds)
        levels = moved


def _means(rates: Mapping[str, float], levels: Mapping[str, str]) -> dict[str, float]:
    return {
        name: fmean(rates[kind] for kind in rates if levels[kind] == name)
        for name in RANGES
        if name in levels.values()
    }
