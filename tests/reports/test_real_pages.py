"""The report of real runs of every benchmark, every page opened in a real browser."""

import csv
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from ordojo.core.registry import benchmark_names, get_benchmark
from ordojo.evaluation.evaluation import Evaluation, EvaluationRequest
from ordojo.evaluation.runs import read_runs
from ordojo.reports import write_report

from .browser import absence, chromium, visit

SETTINGS: Mapping[str, list[dict[str, Any]]] = {
    "orqa": [
        {},
        {"shots": 1},
        {"prompt": "cot"},
        {"prompt": "cot", "trigger": "all"},
        {"permute": "cyclic"},
    ],
    "econlogicqa": [{}, {"shots": 5}],
}
MODELS = ("ordojo/gold", "ordojo/noop", "ordojo/random")
OWN_MODELS = {
    "or-bias": ("ordojo/heuristic", "ordojo/always-mean"),
    "or-debug": ("ordojo/drop-everything",),
}
LIMITS = {"orqa": 12, "econlogicqa": 8, "or-debug": 9, "or-bias": 24, "nl2opt": 3}


def requests() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every model under a benchmark's own settings, the gold and the random one under others."""
    for name in benchmark_names():
        for settings in SETTINGS.get(name, [{}]):
            own = OWN_MODELS.get(name, ("ordojo/majority",))
            for model in ("ordojo/gold", "ordojo/random") if settings else (*MODELS, *own):
                yield name, model, settings


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    for name, model, settings in requests():
        request = EvaluationRequest(
            *(name, model, folder / "runs", {**get_benchmark(name).demo, **settings}),
            limit=LIMITS.get(name),
            epochs=2,
        )
        Evaluation(request).run()
    write_report(read_runs([folder / "runs"]), folder / "site")
    return folder / "site"


def test_every_page_is_silent_and_stays_at_home(report: Path) -> None:
    if why := absence():
        pytest.skip(why)
    pages = sorted(report.rglob("*.html"))
    assert len(pages) == 1 + len(benchmark_names()) + len([*requests()])
    with chromium() as driver:
        for page in pages:
            seen = visit(driver, page.as_uri())
            assert not seen.complaints(report.as_uri()), page
            assert driver.find_element("tag name", "h1").text


def test_the_pages_show_what_the_issue_asks_for(report: Path) -> None:
    orqa = (report / "orqa.html").read_text()
    for title in (
        "Accuracy by prompting strategy",
        "Accuracy by question type",
        "distribution of letters",
        "Trigger prompts",
        "(majority vote over all)",
        "Selection of in-context examples",
        "Standard against chain of thought, by skill",
        "Sensitivity to the order of options",
        "Llama3.1-405B-I",
    ):
        assert title in orqa, title
    econ = (report / "econlogicqa.html").read_text()
    for title in ("pairwise accuracy", "Right event at each position", "GPT-4-Turbo"):
        assert title in econ, title


def test_tables_and_summary_agree_with_the_baselines(report: Path) -> None:
    rows = list(csv.DictReader((report / "tables.csv").read_text().splitlines()))
    headline = {
        "orqa": "accuracy",
        "econlogicqa": "exact_match",
        "or-bias": "within_5pct",
        "or-debug": "rr@5",
    }
    for name, metric in headline.items():
        for model, value in (("ordojo/gold", 1.0), ("ordojo/noop", 0.0)):
            found = [
                float(row["value"])
                for row in rows
                if (row["benchmark"], row["model"], row["metric"]) == (name, model, metric)
            ]
            assert found
            assert set(found) == {value}
    assert any(row["published"] in ("true", "True", "1") for row in rows)
    summary = json.loads((report / "summary.json").read_text())
    assert summary
