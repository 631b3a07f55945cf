"""What the tests of benchmarks share: made-up records and runs, checks of panels, the data."""

import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from ordojo.core.benchmark import AnyBenchmark
from ordojo.core.episode import Episode
from ordojo.core.judge import Verdict
from ordojo.core.options import Options
from ordojo.core.panels import Bars, Heatmap, Panel, Plot, Table
from ordojo.core.records import RunHeader, RunView, SampleRecord
from ordojo.evaluation.scripted import player
from ordojo.evaluation.session import EvaluationSession


def published_folder() -> Path:
    """$ORDOJO_DATA; skips the test where it is not set."""
    if not (folder := os.environ.get("ORDOJO_DATA")):
        pytest.skip("needs the published data: $ORDOJO_DATA is not set")
    return Path(folder)


def record(
    name: str,
    gold: str,
    said: str | None,
    *,
    rule: str = "published",
    epoch: int = 1,
    cluster: str = "",
    labels: Mapping[str, str] | None = None,
    metrics: Mapping[str, float] | None = None,
) -> SampleRecord:
    """A record of one sample judged by one rule; `said` is None for an unparsed reply."""
    score = float(said == gold)
    outcome: Any = "unparsed" if said is None else "correct" if score else "wrong"
    verdict = Verdict(rule, outcome, score, said, metrics=metrics or {})
    return SampleRecord(
        id=name,
        epoch=epoch,
        content_hash="0" * 64,
        cluster=cluster or name,
        labels=labels or {},
        gold=gold,
        episode=Episode(()),
        verdicts={rule: verdict},
    )


def failed(name: str, gold: str, labels: Mapping[str, str] | None = None) -> SampleRecord:
    """A record of a sample that could not be asked."""
    return SampleRecord(
        name, 1, "0" * 64, name, labels or {}, gold, Episode(()), {}, error="no connection"
    )


def run_view(
    benchmark: AnyBenchmark,
    records: Sequence[SampleRecord],
    options: Options,
    model: str = "lab/model",
    seed: int = 0,
    name: str = "",
    **header: Any,
) -> RunView:
    """A run of these records, of made-up data and complete unless `header` says otherwise."""
    fields: dict[str, Any] = {
        "benchmark": benchmark.name,
        "benchmark_version": benchmark.version,
        "model": model,
        "options": options.model_dump(),
        "dataset": {"id": "made-up", "sha256": "0" * 64},
        "rule": benchmark.default_rule(options),
        "seed": seed,
        "epochs": max((record.epoch for record in records), default=1),
        "limit": None,
        "items": len(records),
    }
    return RunView(name or f"{model}-{seed}", RunHeader(**{**fields, **header}), records)


def played(
    benchmark: AnyBenchmark,
    policy: str,
    options: Options,
    seed: int = 0,
    limit: int | None = None,
    epochs: int = 1,
) -> list[SampleRecord]:
    """The records of a scripted policy, played by the fast loop."""
    session = EvaluationSession(benchmark, options, seed, limit)
    records = list(map(player(session, session.policy(policy)), session.items(epochs)))
    session.close()
    return records


def check_panel(panel: Panel) -> None:
    """Every row as long as there are columns, published rows there, numbers where promised."""
    match panel:
        case Table():
            assert panel.title and panel.columns
            assert {len(row) for row in panel.rows} <= {len(panel.columns)}
            assert panel.published <= set(range(len(panel.rows)))
        case Heatmap():
            assert len(panel.values) == len(panel.rows)
            assert {len(row) for row in panel.values} <= {len(panel.columns)}
            assert panel.published <= set(range(len(panel.rows)))
            cells = [value for row in panel.values for value in row if value is not None]
            assert all(panel.low <= value <= panel.high for value in cells)
        case Bars():
            assert {len(series.values) for series in panel.series} <= {len(panel.categories)}
        case Plot():
            points = [xy for _, series in panel.series for xy in series]
            assert all(map(math.isfinite, [number for xy in points for number in xy]))
