"""OR-Bias-Bench's page of the report."""

import math
from collections.abc import Sequence
from typing import Any

import pytest

from ordojo.benchmarks.or_bias import BENCHMARK
from ordojo.benchmarks.or_bias.judges import HEADLINES, answers, metrics
from ordojo.benchmarks.or_bias.page import EXPERIMENTS, SOURCE, panels, published_scores, setting
from ordojo.benchmarks.or_bias.schema import OrBiasOptions
from ordojo.core.panels import Bars, Heatmap, Panel, Plot, Table
from ordojo.core.records import RunView
from ordojo.core.statistics import Estimate
from ordojo.reports.panels import draw
from tests.benchmarks.or_bias.made import anchored, gold, records, silent, view
from tests.core.helpers import check_panel, failed

GOLD = view("ordojo/gold", records(gold))
MEAN = view("ordojo/always-mean", records(anchored(1)))
SILENT = view("lab/silent", records(silent))
EMPTY = view("lab/empty", [])
FAILED = view("lab/failed", [failed("x", "1")])
WILD = view("lab/wild", records(lambda s: [0.0, 99 * s.demand.mean, 80.0][s.index % 3]))


def shown(*runs: RunView) -> dict[str, Panel]:
    found = panels(runs)
    for panel in found:
        check_panel(panel)
        draw(panel)
    titles = [panel.title for panel in found]
    assert len(set(titles)) == len(titles)
    return dict(zip(titles, found, strict=True))


def table(panel: Panel) -> Table:
    assert isinstance(panel, Table)
    return panel


def values(row: Sequence[object]) -> list[float]:
    return [cell.value for cell in row if isinstance(cell, Estimate)]


@pytest.mark.parametrize(
    "runs",
    [(), (EMPTY,), (FAILED,), (SILENT,), (WILD,), (GOLD, SILENT, EMPTY, WILD, FAILED)],
    ids=["none", "empty", "failed", "silent", "wild", "all"],
)
def test_every_page_is_whole(runs: tuple[RunView, ...]) -> None:
    titles = shown(*runs).keys()
    assert {
        "Rationality and bias difference",
        "Bias by level and critical ratio",
        "Weight of the mean",
        "What the errors cost",
    } <= titles
    assert ("One run against another" in titles) == (len(runs) > 1)


def test_published_rows_stand_below_our_own() -> None:
    panel = table(shown(GOLD, MEAN)["Rationality and bias difference"])
    assert values(panel.rows[0]) == pytest.approx([1, 1, 0, 0, 0], abs=1e-9)
    figures = metrics(MEAN.records, "rational")
    assert values(panel.rows[1])[2] == pytest.approx(figures["bias_difference/ID"].value)
    assert panel.published == frozenset(range(2, 26)) and SOURCE in panel.note
    rows = {row[0]: list(row[2:]) for row in panel.rows[2:]}
    assert rows["gpt-5-mini"] == [0.996, 0.997, 0.012, 0.533, 0.521]
    assert rows["gemini-2.0-flash"] == [0.976, 0.987, 0.059, 0.0, -0.059]


def test_table_36_is_quoted_for_the_leaderboard() -> None:
    scores = published_scores()
    assert len(scores) == 48 and {score.source for score in scores} == {SOURCE}
    assert all(math.isnan(score.score) for score in scores), "not the headline"
    (found,) = [s for s in scores if (s.model, s.setting) == ("claude-opus-4", "OOD")]
    assert found.extra == {"rationality": 0.948, "bias_difference": 0.159}


def test_the_published_change_is_the_difference_of_the_biases() -> None:
    for row in table(shown()["Rationality and bias difference"]).rows:
        near, far, change = (float(x) for x in row[4:] if isinstance(x, float))
        assert change == pytest.approx(far - near, abs=0.0011)


def test_the_heatmap_shows_pull_to_center() -> None:
    panel = shown(GOLD, MEAN)["Bias by level and critical ratio"]
    assert isinstance(panel, Heatmap) and panel.low == -panel.high
    rows = dict(zip(panel.rows, panel.values, strict=True))
    assert len(rows) == 8
    for name, cells in rows.items():
        known = [cell for cell in cells if cell is not None]
        if "gold" in name:
            assert known == pytest.approx([0] * len(known), abs=1e-12)
        elif "L2" in name:
            low, *between, high = cells
            assert low is not None and high is not None and low > 0 > high
            assert between == [None, None, None]
        elif "L4" in name:
            assert known == sorted(known, reverse=True) and len(known) == 5


def test_orders_have_their_fitted_slope() -> None:
    found = shown(GOLD, MEAN)
    for run, slope in (GOLD, 1.0), (MEAN, metrics(MEAN.records, "rational")["slope"].value):
        (panel,) = [
            p for title, p in found.items() if title.startswith(f"Q against Q*: {run.name}")
        ]
        assert isinstance(panel, Plot) and panel.diagonal
        (_, points), (name, line) = panel.series
        assert len(points) == 400 and f"slope {slope:.3f}" in name and f"{slope:.3f}" in panel.note
        (x0, y0), (x1, y1) = line[0], line[-1]
        assert (y1 - y0) / (x1 - x0) == pytest.approx(slope)
    (panel,) = [p for title, p in shown(WILD).items() if title.startswith("Q against Q*")]
    high = sum(q > 1000 for q in answers(WILD.records, "rational").measures["q"])
    assert isinstance(panel, Plot) and f"; {high} lie above" in panel.note
    assert max(y for _, series in panel.series for _, y in series) <= 2 * max(
        x for x, _ in panel.series[0][1]
    )


def test_people_stand_in_a_table_of_their_own() -> None:
    found = shown(MEAN)
    ours = values(table(found["Weight of the mean"]).rows[0])
    assert ours[:3] == pytest.approx([1, 1, 0], abs=1e-9)
    panel = table(found["Weight of the mean in people's orders"])
    assert [row[1] for row in panel.rows] == [e.weight for e in EXPERIMENTS]
    assert panel.published == frozenset(range(len(EXPERIMENTS)))


def test_no_headline_is_one_that_random_orders_are_perfect_under() -> None:
    options = OrBiasOptions()
    assert BENCHMARK.default_rule(options) == "within-5pct"
    first, *_ = shown(GOLD)
    assert first == "What the errors cost"
    lost = metrics(records(lambda s: 3 * s.demand.mean), "within-5pct")
    assert next(iter(lost)) == "within_5pct"
    assert lost["rationality"].value == 1 and lost["within_5pct"].value == 0


def test_critical_ratios_are_drawn_with_their_test() -> None:
    found = {t: p for t, p in shown(GOLD, SILENT).items() if t.startswith("Critical ratios")}
    assert [t.removeprefix("Critical ratios, ") for t in found] == [
        *(f"ID {level}" for level in ("L1", "L2", "L3", "L4")),
        "OOD L3",
        "OOD L4",
    ]
    for panel in found.values():
        assert isinstance(panel, Bars) and panel.reference is not None
        shares = [float(x) for x in panel.series[0].values if isinstance(x, float)]
        assert sum(shares) == pytest.approx(1) and panel.reference == 1 / len(shares)
        assert "Kolmogorov" in panel.note and ": uniform" in panel.note and "p=" in panel.note
    panel = found["Critical ratios, ID L2"]
    assert isinstance(panel, Bars)
    assert panel.categories[0] == "0.05-0.10" and panel.categories[3] == "0.80-0.85"
    assert not [t for t in shown(SILENT) if t.startswith("Critical ratios")]


def test_the_same_answers_under_every_rule() -> None:
    near = view("lab/near", records(lambda s: 1.03 * s.optimum if s.index % 2 else None))
    half = sum(r.verdicts["rational"].outcome == "correct" for r in near.records) / 600
    found = {rule: metrics(near.records, rule) for rule in HEADLINES}
    scores = [found[rule][name].value for rule, name in HEADLINES.items()]
    assert scores == pytest.approx([half, half, 0])
    assert found["rational"]["unparsed_rate"].value == pytest.approx(1 - half)


def test_runs_are_compared_in_pairs() -> None:
    panel = table(shown(GOLD, MEAN, SILENT)["One run against another"])
    ((first, second, items, bias, p, weight, q),) = panel.rows
    assert "gold" in str(first) and "always-mean" in str(second) and items == 600
    assert isinstance(bias, Estimate) and isinstance(weight, Estimate)
    assert bias.high < 0 and p == q == "< 0.001"
    assert weight.value == pytest.approx(-1)


def test_two_runs_of_one_model_are_told_apart() -> None:
    again = view("ordojo/gold", GOLD.records, name="again", mode="chat")
    rows = table(shown(GOLD, again)["One run against another"]).rows
    assert rows[0][0] != rows[0][1]


def test_a_copy_of_a_run_changes_nothing() -> None:
    copy = view("ordojo/gold", GOLD.records, name="copy")
    assert repr(shown(GOLD, copy)) == repr(shown(GOLD))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "ID and OOD"),
        ({"set": "id"}, "ID"),
        ({"set": "ood", "mode": "chat"}, "OOD, chat"),
        ({"set": "full", "family": "gamma"}, "ID and OOD, full, gamma"),
        ({"decision": "repeated"}, "ID and OOD, repeated"),
        ({"instances": "a.jsonl"}, "own instances"),
        ({"set": "id", "iqr": 1.35}, "ID, IQR 1.35"),
    ],
)
def test_a_setting_is_named(options: dict[str, Any], words: str) -> None:
    assert setting(OrBiasOptions(**options).model_dump()) == words
