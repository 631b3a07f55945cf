r"""Telling a chaser from an anchorer: what the orders of repeated newsvendors are made of.

Every order after the first is explained by four things, whose weights add up to 1:

    order = c * last demand + r * last order + k * mean + (1 - c - r - k) * optimum

c is "chasing", r "inertia". A partial adjuster, who moves from the last order a share c of the way
to the last demand, has r = 1 - c and no other weight; an anchorer has k alone beside the optimum.

The mean of the orders alone cannot tell the two: both are pulled from the optimum to the mean,
as the demands that a chaser follows average to the mean. "pull" is that total, from the regression
of (order - optimum) on (mean - optimum) through the origin. In the long run it splits as
(c + k) / (1 - r): "anchoring" is the part k / (1 - r), "pull_by_chasing" the part c / (1 - r).

"chasing_simple" is the literature's regression of the change of order on (last demand - last
order), through the origin. It also calls a random wobble around a fixed order chasing, since a
high order tends to be followed by a lower one; with the last order held fixed, "chasing" does not
(compare Lau and Bearden, "Newsvendor demand chasing revisited", Management Science 2013).

Quantities count in standard deviations of demand, so that all stories weigh alike.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ordojo.benchmarks.or_bias.metrics import regression
from ordojo.core.records import SampleRecord, judged, share
from ordojo.core.statistics import (
    EQUAL,
    NOTHING,
    Estimate,
    Numbers,
    ResampledFigure,
    bootstrap_figures,
    mean_of,
)

_COLUMNS = 8
"""Of a row: order, last order, last demand, mean, optimum, deviation, cluster, whether it has a
last order."""


def metrics(records: Sequence[SampleRecord], rule: str) -> Mapping[str, Estimate]:
    """Rationality (the share of periods) first; then profit, and the weights of this module."""
    found = judged(records, "rational")
    clusters = [record.cluster for record, _ in found]
    shares = {
        "rationality": share(found, lambda v: v.metrics.get("rational", 0.0)),
        "within_5pct": share(found, lambda v: v.metrics.get("within_5pct", 0.0)),
    }
    names = {cluster: place for place, cluster in enumerate(dict.fromkeys(clusters))}
    groups = np.asarray([names[cluster] for cluster in clusters], dtype=np.intp)
    means: dict[str, ResampledFigure] = {}
    for name in ("profit_ratio", "relative_regret"):
        values = np.asarray([v.metrics.get(name, np.nan) for _, v in found], dtype=np.float64)
        there = np.isfinite(values)
        means[name] = mean_of(np.where(there, values, 0.0), there)
    return {**shares, **bootstrap_figures(means, groups), **weights(records)}


def weights(records: Sequence[SampleRecord]) -> Mapping[str, Estimate]:
    """pull, chasing, anchoring, inertia, pull_by_chasing and chasing_simple, with intervals.

    Intervals respect episodes (clusters). NaN where nothing determines a weight.
    """
    rows = _rows(records)
    order, last, demand, mean, best, std = rows[:, :6].T
    groups = rows[:, 6].astype(np.intp)
    follows = rows[:, 7] > 0
    y, anchor = (order - best) / std, (mean - best) / std
    pull = regression(y, [anchor], groups)[0]
    chased, kept = (demand - best) / std, (last - best) / std
    change = ((order - last) / std)[follows]
    simple = regression(change, [(chased - kept)[follows]], groups[follows])[0]
    parts = _split(y, [chased, anchor, kept], groups, follows)
    return {
        "pull": pull,
        "chasing": parts[0],
        "anchoring": parts[1],
        "inertia": parts[2],
        "pull_by_chasing": parts[3],
        "chasing_simple": simple,
    }


def _rows(records: Sequence[SampleRecord]) -> Numbers:
    """One row for each period with a rational order."""
    names: dict[str, int] = {}
    rows: list[list[float]] = []
    for record in records:
        verdict = record.verdict("rational")
        if verdict is None or "optimum" not in verdict.metrics:
            continue
        story = [verdict.metrics[name] for name in ("mean", "optimum", "std")]
        cluster = names.setdefault(record.cluster, len(names))
        last, demand = np.nan, np.nan
        for turn in record.episode.turns:
            order = _number(turn.info.get("order"))
            if np.isfinite(order):
                follows = bool(np.isfinite(last))
                before = [last, demand] if follows else [0.0, 0.0]
                rows.append([order, *before, *story, cluster, follows])
            last, demand = order, _number(turn.info.get("demand"))
    return np.asarray(rows, dtype=np.float64).reshape(-1, _COLUMNS)


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else np.nan


def _split(
    y: Numbers, columns: Sequence[Numbers], groups: NDArray[np.intp], follows: NDArray[np.bool_]
) -> list[Estimate]:
    """Chasing, anchoring, inertia, and pull by chasing, on the rows with a last order.

    Where the last order says nothing beside the others (orders that never change), inertia is 0.
    """
    used = [column[follows] for column in columns]
    if _rank(used) < 3:
        used = used[:2]
    k = len(used)
    if _rank(used) < k:
        return [NOTHING] * 4
    places = [(i, j) for i in range(k) for j in range(i, k)]
    masked = [np.where(follows, column, 0.0) for column in columns[:k]]
    target = np.where(follows, y, 0.0)
    sums = tuple([masked[i] * masked[j] for i, j in places] + [x * target for x in masked])

    def solve(totals: Numbers) -> Numbers:
        """The coefficients (chasing, anchoring, inertia) of each row of sums."""
        squares = np.empty((len(totals), k, k))
        for place, (i, j) in enumerate(places):
            squares[:, i, j] = squares[:, j, i] = totals[:, place]
        sides = totals[:, len(places) :, None]
        found = np.zeros((len(totals), 3))
        found[:, :k] = (np.linalg.pinv(squares, hermitian=True) @ sides)[:, :, 0]
        return found

    def long_run(share: Numbers, inertia: Numbers) -> Numbers:
        moving = 1 - inertia
        return np.where(moving > 1e-6, share / np.where(moving > 1e-6, moving, 1), np.nan)

    figures = {
        "chasing": ResampledFigure(follows, sums, lambda s: solve(s)[:, 0]),
        "anchoring": ResampledFigure(follows, sums, lambda s: long_run(*solve(s)[:, 1:].T)),
        "inertia": ResampledFigure(follows, sums, lambda s: solve(s)[:, 2]),
        "by_chasing": ResampledFigure(follows, sums, lambda s: long_run(*solve(s)[:, ::2].T)),
    }
    found = bootstrap_figures(figures, groups)
    return [_rounded(estimate) for estimate in found.values()]


def _rounded(estimate: Estimate) -> Estimate:
    """Never narrower than rounding, like the regressions' intervals."""
    low, high = estimate.low - EQUAL, estimate.high + EQUAL
    return Estimate(estimate.value, low, high, estimate.n, estimate.clusters)


def _rank(columns: Sequence[Numbers]) -> int:
    x = np.stack(columns, axis=1)
    scale = np.sqrt((x**2).sum(axis=0))
    if not len(x) or (scale < EQUAL).any():
        return int((scale >= EQUAL).sum()) if len(x) else 0
    return int(np.linalg.matrix_rank(x / scale, tol=1e-7))
