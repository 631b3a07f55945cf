"""OR-Bias-Bench's page of the report: scores, anchoring, regret, rules."""

import math
from collections.abc import Mapping, Sequence

from ordojo.benchmarks.or_bias.charts import bias_by_bucket, critical_ratios, orders
from ordojo.benchmarks.or_bias.inference import compare_bias, compare_weight
from ordojo.benchmarks.or_bias.metrics import decisions, metrics
from ordojo.benchmarks.or_bias.percentiles import IQR
from ordojo.benchmarks.or_bias.published import DATASET, EXPERIMENTS, HUMANS, SOURCE, table36
from ordojo.benchmarks.or_bias.published import published_scores as published_scores
from ordojo.benchmarks.or_bias.schema import OrBiasOptions
from ordojo.core.canonical import Json
from ordojo.core.panels import Cell, Panel, Table
from ordojo.core.records import RunView
from ordojo.core.selection import Part, Pool, Protocol, described, labels, parted, pooled
from ordojo.core.statistics import Estimate

SETS = {
    "eval": "ID and OOD",
    "full": "ID and OOD, full",
    "id": "ID",
    "ood": "OOD",
    "train": "training set",
}

PROTOCOL = Protocol.of(DATASET, OrBiasOptions(), ["mode"])
"""Under what table 36 was made. Its models answer in chats, which is an option of ours."""

Figures = Mapping[str, Estimate]


def setting(options: Mapping[str, Json]) -> str:
    """A run's settings in a few words: the set, and what departs from the paper."""
    words = ["own instances" if options.get("instances") else SETS[str(options["set"])]]
    for name, usual in (
        ("decision", "newsvendor"),
        ("family", "normal"),
        ("mode", "completion"),
    ):
        if options.get(name, usual) != usual:
            words.append(str(options[name]))
    if options.get("iqr", IQR) != IQR:
        words.append(f"IQR {options['iqr']}")
    return ", ".join(words)


def panels(runs: Sequence[RunView]) -> Sequence[Panel]:
    """Everything that the page shows of newsvendor decisions, from runs alone.

    Runs that differ in the seed alone are pooled.
    """
    pools = pooled(runs)
    figures = [metrics(run.records, run.header.rule) for run in pools]
    found = dict(zip(map(id, pools), figures, strict=True))
    names = labels(pools, setting)
    return [
        _regret(pools, figures),
        *(
            _scores(part, [found[id(pool)] for pool in part.pools])
            for part in parted(pools, PROTOCOL)
        ),
        bias_by_bucket(pools, names),
        *orders(pools, names, figures),
        _anchoring(pools, figures),
        _people(),
        *_comparisons(pools, names),
        *critical_ratios(pools),
    ]


def _rows(
    runs: Sequence[Pool], figures: Sequence[Figures], columns: Sequence[str]
) -> list[list[Cell]]:
    return [
        [
            run.header.model,
            described(run, setting(run.header.options)),
            *(found[name] for name in columns),
        ]
        for run, found in zip(runs, figures, strict=True)
    ]


def _scores(part: Part, figures: Sequence[Figures]) -> Table:
    columns = [
        "rationality/ID",
        "rationality/OOD",
        "bias_difference/ID",
        "bias_difference/OOD",
        "id_to_ood",
    ]
    rows = _rows(part.pools, figures, columns)
    quoted: list[list[Cell]] = [
        [
            model,
            "as published",
            *(scores[name] for name in ("rationality_ID", "rationality_OOD")),
            *(scores[name] for name in ("bias_ID", "bias_OOD", "delta")),
        ]
        for model, scores in (table36() if part.published else ())
    ]
    source = f"Published rows: {SOURCE}. " if part.published else ""
    return Table(
        f"Rationality and bias difference{part.end}",
        ["model", "setting", "rational, ID", "rational, OOD", "bias, ID", "bias, OOD", "change"],
        [*rows, *quoted],
        note=f"{source}Rational: a quantity was read, neither negative nor absurd, which random "
        "orders are, too. Bias: |E[Q/Q* | CR > 0.5] - E[Q/Q* | CR < 0.5]| over rational answers, "
        "bootstrap intervals. Change: bias OOD less bias ID. The bias difference has no direction; "
        "the weight of the mean, below, has.",
        published=frozenset(range(len(rows), len(rows) + len(quoted))),
    )


def _anchoring(runs: Sequence[Pool], figures: Sequence[Figures]) -> Table:
    columns = [
        "anchoring_weight",
        "anchoring_weight_with_intercept",
        "anchoring_intercept",
        "weight_of_mean",
        "weight_of_optimum",
        "pull_to_center",
    ]
    rows = _rows(runs, figures, columns)
    return Table(
        "Weight of the mean",
        [
            "model",
            "setting",
            "weight of the mean",
            "with intercept",
            "intercept",
            "of the mean, free",
            "of the optimum, free",
            "pull to center",
        ],
        rows,
        note="The weight w in Q = w μ + (1 - w) Q*: least squares of Q - Q* on μ - Q*, through the "
        "origin and with an intercept; 0 is the optimum, 1 the mean, and above 1 or below 0 lies "
        "on neither's side. Free: Q on μ and Q*, weights that need not add up to 1. Intervals are "
        "robust and by item. Pull to center: E[Q/Q* | CR < 0.5] - E[Q/Q* | CR > 0.5], positive "
        "where orders are drawn to the mean.",
    )


def _people() -> Table:
    rows: list[list[Cell]] = [[e.name, e.weight] for e in EXPERIMENTS]
    return Table(
        "Weight of the mean in people's orders",
        ["experiment", "weight of the mean"],
        rows,
        note=f"Other scenarios than the benchmark's: from mean orders in {HUMANS}.",
        published=frozenset(range(len(rows))),
    )


def _regret(runs: Sequence[Pool], figures: Sequence[Figures]) -> Table:
    columns = ["within_5pct", "within_1pct", "regret", "relative_regret", "relative_error"]
    return Table(
        "What the errors cost",
        [
            "model",
            "setting",
            "within 5%",
            "within 1%",
            "regret",
            "relative regret",
            "relative error",
        ],
        _rows(runs, figures, columns),
        note="Regret: expected profit of the optimum less that of the answer, in the story's "
        "currency; relative: as a share of the optimum's. Relative error: |Q - Q*| / Q*. Means "
        "over rational answers; within 5% and 1% are shares of all answers.",
    )


def _comparisons(runs: Sequence[Pool], names: Sequence[str]) -> Sequence[Table]:
    """Every pair of runs on the items that both answered."""
    if len(runs) < 2:
        return ()
    answered = [decisions(run.records, run.header.rule) for run in runs]
    rows: list[list[Cell]] = []
    for i, first in enumerate(answered):
        for j, second in list(enumerate(answered))[i + 1 :]:
            common = sorted(first.keys() & second.keys())
            if common:
                one, other = ([run[key] for key in common] for run in (first, second))
                bias, weight = compare_bias(one, other), compare_weight(one, other)
                cells: list[Cell] = [bias.difference, _p(bias.p_value)]
                cells += [weight.difference, _p(weight.p_value)]
                rows.append([names[i], names[j], len(common), *cells])
    return (
        Table(
            "One run against another",
            [
                "first",
                "second",
                "items",
                "bias, first less second",
                "p",
                "weight of the mean, first less second",
                "p (weight)",
            ],
            rows,
            note="Paired, on the items to which both gave a rational answer: bootstrap intervals "
            "over items, and p-values of permutation tests that swap the two runs' answers item "
            "by item. p-values are not corrected for the number of pairs.",
        ),
    )


def _p(value: float) -> str | None:
    if math.isnan(value):
        return None
    return "< 0.001" if value < 0.001 else f"{value:.3f}"
