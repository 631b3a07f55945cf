"""EconLogicQA's figures, and its page of the report."""

import math
from itertools import product
from typing import Any

import pytest

from ordojo.benchmarks.econlogicqa import BENCHMARK
from ordojo.benchmarks.econlogicqa.schema import EconLogicQAOptions
from ordojo.core.panels import Bars, Heatmap, Panel, Table
from ordojo.core.records import RunView, SampleRecord
from ordojo.core.statistics import Estimate, mean_interval
from tests.core.helpers import check_panel, failed, played, record, run_view

RULE = "exact-match"


def records(*pairs: tuple[str, str | None], epochs: int = 1) -> list[SampleRecord]:
    """Records of (right order, order said), both as "DCAB"; None is an unparsed reply."""
    made = []
    for place, (gold, said) in enumerate(pairs):
        agree = 0.0
        if said is not None:
            ordered = [(a, b) for i, a in enumerate(gold) for b in gold[i + 1 :]]
            agree = sum(said.index(a) < said.index(b) for a, b in ordered) / 6
        for epoch in range(1, epochs + 1):
            made.append(
                record(
                    f"test-{place:04d}",
                    ", ".join(gold),
                    None if said is None else ", ".join(said),
                    rule=RULE,
                    epoch=epoch,
                    metrics={} if said is None else {"pairwise": agree, "tau": 2 * agree - 1},
                )
            )
    return made


EXAMPLE = records(("ABCD", "ABCD"), ("ABCD", "BACD"), ("ABCD", "DCBA"), ("DCAB", None))
"""Pairs in the right order: 6, 5, 0 and none read."""


def test_figures_of_a_small_run_are_those_found_by_hand() -> None:
    figures = BENCHMARK.metrics(EXAMPLE, RULE)
    assert next(iter(figures)) == "exact_match"
    assert figures["exact_match"].value == pytest.approx(1 / 4)
    assert figures["pairwise_accuracy"].value == pytest.approx((6 + 5 + 0 + 0) / 24)
    assert figures["kendall_tau"].value == pytest.approx((1 + 4 / 6 - 1) / 3)
    assert figures["unparsed_rate"].value == pytest.approx(1 / 4)
    positions = [figures[f"position/{p}"].value for p in ("first", "second", "third", "fourth")]
    assert positions == pytest.approx([1 / 3, 1 / 3, 2 / 3, 2 / 3])
    assert (figures["kendall_tau"].n, figures["position/first"].n) == (3, 3)


def test_repetitions_of_one_question_are_one_cluster_in_every_figure() -> None:
    pairs = [("ABCD", "ABCD"), ("ABCD", "DCBA"), ("BACD", "BACD")]
    once = BENCHMARK.metrics(records(*pairs), RULE)
    often = BENCHMARK.metrics(records(*pairs, epochs=50), RULE)
    for name, figure in often.items():
        assert figure.clusters == 3, name
        assert figure.value == pytest.approx(once[name].value)
        assert figure.high - figure.low > 0.6 * (once[name].high - once[name].low), name


@pytest.mark.parametrize(
    "group",
    [
        EXAMPLE,
        EXAMPLE[:1],
        EXAMPLE[2:3],
        EXAMPLE[3:],
        EXAMPLE * 20,
        records(*[("ABCD", "BACD")] * 9),
    ],
    ids=len,
)
def test_every_interval_lies_in_range_around_its_value(group: list[SampleRecord]) -> None:
    for name, figure in BENCHMARK.metrics(group, RULE).items():
        if figure.n:
            least = -1 if name == "kendall_tau" else 0
            assert least <= figure.low <= figure.value <= figure.high <= 1, name
        else:
            assert math.isnan(figure.value)


def test_nothing_scored_gives_nan_everywhere() -> None:
    for group, rule in ([], RULE), ([failed("x", "A, B, C, D")], RULE), (EXAMPLE, "last-order"):
        figures = BENCHMARK.metrics(group, rule)
        assert all(math.isnan(f.value) and math.isnan(f.low) and f.n == 0 for f in figures.values())


VARIANTS = [
    EconLogicQAOptions.model_validate(
        {"dataset": "econlogicqa@ordojo", "shots": s, "examples": e, "mode": m, "split": split}
    )
    for s, e, m, split in product(
        (0, 1, 5), ("first", "random"), ("completion", "chat"), ("test", "train")
    )
]


def view(options: EconLogicQAOptions, policy: str = "random", **header: Any) -> RunView:
    records = played(BENCHMARK, policy, options, limit=8)
    return run_view(BENCHMARK, records, options, model=f"ordojo/{policy}", **header)


def panels(*runs: RunView) -> dict[str, Panel]:
    shown = BENCHMARK.panels(runs)
    for panel in shown:
        check_panel(panel)
    return {panel.title: panel for panel in shown}


@pytest.mark.parametrize("options", VARIANTS, ids=lambda o: BENCHMARK.setting(o.model_dump()))
def test_every_setting_has_a_page_full_or_empty(options: EconLogicQAOptions) -> None:
    assert panels(view(options)).keys() == panels(run_view(BENCHMARK, [], options)).keys()
    panels(run_view(BENCHMARK, [failed("x", "A, B, C, D")], options))
    panels(view(options, "noop"), view(options, "gold"))


def test_scores_stand_before_the_published_ones() -> None:
    paper = {"id": "econlogicqa@hf"}
    runs = [
        view(VARIANTS[8], policy, dataset=paper, limit=limit)
        for policy, limit in (("gold", None), ("noop", None), ("random", 8))
    ]
    found = panels(*runs, view(VARIANTS[0], dataset=paper))
    table, apart = found["Scores"], found["Scores, other settings"]
    assert isinstance(apart, Table) and not apart.published
    assert [row[1] for row in apart.rows] == ["1-shot, first 8", "0-shot"]
    assert isinstance(table, Table)
    gold, noop, *quoted = table.rows
    assert [cell.value for cell in gold[2:] if isinstance(cell, Estimate)] == [1, 1, 1, 0]
    assert noop[4] is None
    assert table.published == frozenset(range(2, 44)) and len(quoted) == 42
    assert ["GPT-4-Turbo", "1-shot", 0.5692, None, None, None] in [list(row) for row in quoted]


def test_the_page_of_no_runs_has_the_published_scores_alone() -> None:
    table = panels()["Scores"]
    assert isinstance(table, Table)
    assert len(table.rows) == len(table.published) == len(BENCHMARK.published()) == 21 * 2


def test_errors_are_shown_by_position_and_by_first_letter() -> None:
    shown = panels(run_view(BENCHMARK, EXAMPLE, EconLogicQAOptions()))
    positions, letters = shown["Right event at each position"], shown["Which letter comes first"]
    went = shown["Where the events went"]
    assert isinstance(positions, Bars) and isinstance(letters, Bars) and isinstance(went, Heatmap)
    # Said first: A, B, D, and one reply unparsed; the key's first letters: A, A, A, D.
    assert [list(series.values) for series in letters.series] == [
        [0.75, 0, 0, 0.25, 0],
        [0.25, 0.25, 0, 0.25, 0.25],
    ]
    # The first event was put first, second and last.
    assert went.values[0] == pytest.approx([1 / 3, 1 / 3, 0, 1 / 3])
    turned = panels(run_view(BENCHMARK, records(("ABCD", "BCDA")), EconLogicQAOptions()))
    went = turned["Where the events went"]
    assert isinstance(went, Heatmap) and went.values[0] == [0, 0, 0, 1]
    (series,) = positions.series
    assert series.values[0] == mean_interval([1, 0, 0], ["a", "b", "c"])


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({}, "1-shot"),
        ({"shots": 5, "examples": "random"}, "5-shot, random examples"),
        ({"shots": 0, "mode": "chat", "split": "train"}, "0-shot, chat, train split"),
    ],
)
def test_a_setting_is_named_in_the_papers_words(settings: dict[str, Any], words: str) -> None:
    assert BENCHMARK.setting(EconLogicQAOptions(**settings).model_dump()) == words
