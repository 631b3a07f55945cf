"""Every figure of a report as data: `tables.csv` and `summary.json`."""

import csv
import dataclasses
import io
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ordojo.core.statistics import NOTHING, Estimate
from ordojo.reports.compare import Pair
from ordojo.reports.study import RunSummary, Study, StudyColumn
from ordojo.reports.text import clean, finite

FIELDS = (
    *("benchmark", "version", "dataset", "model", "setting", "metric", "value", "low", "high"),
    *("n", "clusters", "rule", "published", "source"),
)
"""Columns of `tables.csv`; `source` is the run's name or the paper and table quoted."""


def long_rows(study: Study) -> list[dict[str, Any]]:
    """One row a run, rule and metric, and one a quoted score; sorted by all that names them."""
    rows = []
    for column in study.columns:
        for run in column.runs:
            found = {
                (rule, metric): e
                for rule, some in run.metrics.items()
                for metric, e in some.items()
            }
            found |= {("", f"replies/{name}"): share for name, share in _endings(run).items()}
            for (rule, metric), e in found.items():
                named = {"model": run.model, "setting": run.setting, "metric": metric}
                known = {"n": e.n, "clusters": e.clusters, "rule": rule}
                source = {"published": run.kind == "published", "source": run.run.name}
                rows.append(_row(column, {**named, **known, **source}, e))
        for quoted in column.published:
            for metric, score in {column.metric: quoted.score, **quoted.extra}.items():
                if score == score:
                    named = {"model": quoted.model, "setting": quoted.setting, "metric": metric}
                    source = {"published": True, "source": quoted.source}
                    rows.append(_row(column, named | source, replace(NOTHING, value=score)))
    names = ("benchmark", "version", "dataset", "model", "setting", "source", "rule", "metric")
    return sorted(rows, key=lambda row: [str(row[name] or "") for name in names])


def _row(column: StudyColumn, told: Mapping[str, Any], e: Estimate) -> dict[str, Any]:
    """A row of `FIELDS`; what is not told is None."""
    row = dict.fromkeys(FIELDS) | {"benchmark": column.benchmark.name, "version": column.version}
    ends = {"value": finite(e.value), "low": finite(e.low), "high": finite(e.high)}
    return row | {"dataset": column.dataset} | ends | dict(told)


def _endings(run: RunSummary) -> dict[str, Estimate]:
    """The shares of samples whose replies were cut, refused, empty, or without a stop reason."""
    counts = dataclasses.asdict(run.counts.endings)
    n = counts.pop("samples")
    return {
        name: Estimate(count / n, math.nan, math.nan, n, n) for name, count in counts.items() if n
    }


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
    e = pair.comparison.difference
    return {
        "column": column.key,
        "first": first.run.name,
        "second": second.run.name,
        "rules": [first.header.rule, second.header.rule],
        "pairs": pair.among,
        "difference": e.value,
        **{name: getattr(e, name) for name in ("low", "high", "n", "clusters")},
        "p_value": pair.comparison.p_value,
        "p_holm": pair.adjusted,
    }
