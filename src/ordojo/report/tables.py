"""Text that is safe to show: hostile characters made visible, numbers, file names, script data."""

import csv
import dataclasses
import io
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from ordojo.core.statistics import Estimate
from ordojo.report.compare import Pair
from ordojo.report.study import RunSummary, Study, StudyColumn
from ordojo.report.text import clean, finite

FIELDS = (
    "benchmark",
    "version",
    "dataset",
    "model",
    "setting",
    "metric",
    "value",
    "low",
    "high",
    "n",
    "clusters",
    "rule",
    "published",
    "source",
)
"""Columns of `tables.csv`; `source` is the run's name or the paper and table quoted."""


def long_rows(study: Study) -> list[dict[str, Any]]:
    """One row a run, rule and metric, and one a quoted score; sorted by all that names them."""
    rows = []
    for column in study.columns:
        for run in column.runs:
            for rule, metrics in run.metrics.items():
                rows += [_run_row(column, run, rule, name, metrics[name]) for name in metrics]
            rows += [
                _run_row(column, run, "", f"replies/{name}", share)
                for name, share in _endings(run).items()
            ]
        for quoted in column.published:
            scores = {column.metric: quoted.score, **quoted.extra}
            scores = {name: score for name, score in scores.items() if score == score}
            for name, score in scores.items():
                estimate = Estimate(score, math.nan, math.nan, 0, 0)
                base = _base(column, quoted.model, quoted.setting, name, estimate)
                rows.append(
                    {**base, "n": None, "clusters": None, "rule": None}
                    | {"published": True, "source": quoted.source}
                )
    names = ("benchmark", "version", "dataset", "model", "setting", "source", "rule", "metric")
    return sorted(rows, key=lambda row: [str(row[name] or "") for name in names])


def _endings(run: RunSummary) -> dict[str, Estimate]:
    """The shares of samples whose replies were cut, refused, empty, or without a stop reason."""
    counts = dataclasses.asdict(run.counts.endings)
    n = counts.pop("samples")
    return {
        name: Estimate(count / n, math.nan, math.nan, n, n) for name, count in counts.items() if n
    }


def _base(
    column: StudyColumn, model: str, setting: str, metric: str, e: Estimate
) -> dict[str, Any]:
    return {
        "benchmark": column.benchmark.name,
        "version": column.version,
        "dataset": column.dataset,
        "model": model,
        "setting": setting,
        "metric": metric,
        "value": finite(e.value),
        "low": finite(e.low),
        "high": finite(e.high),
        "n": e.n,
        "clusters": e.clusters,
    }


def _run_row(
    column: StudyColumn, run: RunSummary, rule: str, name: str, e: Estimate
) -> dict[str, Any]:
    base = _base(column, run.model, run.setting, name, e)
    return {**base, "rule": rule, "published": run.kind == "published", "source": run.run.name}


def tables_csv(study: Study) -> str:
    """The text of `tables.csv`; what is not known is empty."""
    out = io.StringIO()
    writer = csv.DictWriter(out, FIELDS, lineterminator="\n")
    writer.writeheader()
    for row in long_rows(study):
        writer.writerow({name: _csv_cell(row[name]) for name in FIELDS})
    return out.getvalue()


def _csv_cell(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    return clean(value) if isinstance(value, str) else value


def summary_json(study: Study, pairs: Mapping[str, Sequence[Pair]]) -> str:
    """The text of `summary.json`; what is not known is null."""
    value = {
        "schema": 1,
        "title": study.title,
        "rows": long_rows(study),
        "runs": [_run(column, run) for column in study.columns for run in column.runs],
        "training": [
            {"name": one.name, "summary": dict(one.summary), "held_out": dict(one.held_out)}
            for one in study.trainings
        ],
        "comparisons": [
            _comparison(column, pair) for column in study.columns for pair in pairs[column.key]
        ],
    }
    return json.dumps(finite(value), indent=1, sort_keys=True, allow_nan=False) + "\n"


def _run(column: StudyColumn, run: RunSummary) -> dict[str, Any]:
    return {
        "name": run.run.name,
        "column": column.key,
        "kind": run.kind,
        "setting": run.setting,
        "complete": run.counts.complete,
        "counts": dataclasses.asdict(run.counts),
        "header": dataclasses.asdict(run.header),
        "rules": {rule: run.score_under(rule).value for rule in run.metrics},
    }


def _comparison(column: StudyColumn, pair: Pair) -> dict[str, Any]:
    first, second = column.runs[pair.first], column.runs[pair.second]
    difference = pair.comparison.difference
    return {
        "column": column.key,
        "first": first.run.name,
        "second": second.run.name,
        "rules": [first.header.rule, second.header.rule],
        "difference": difference.value,
        "low": difference.low,
        "high": difference.high,
        "n": difference.n,
        "clusters": difference.clusters,
        "p_value": pair.comparison.p_value,
    }
