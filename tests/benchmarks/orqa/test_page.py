"""ORQA's page of the report."""

from itertools import product
from typing import Any, get_args

import pytest

from ordojo.benchmarks.orqa import BENCHMARK
from ordojo.benchmarks.orqa.schema import TRIGGERS, OrqaOptions, Selection
from ordojo.core.panels import Bars, Heatmap, Panel, Table
from ordojo.core.records import RunView
from ordojo.core.statistics import Estimate
from tests.core.helpers import check_panel, failed, played, run_view

VARIANTS = [
    OrqaOptions(
        dataset="orqa@ordojo",
        prompt=prompt,
        shots=shots,
        icl=icl,
        mode=mode,
        trigger=trigger,
        permute=permute,
    )
    for prompt, (shots, icl), mode, trigger, permute in product(
        ("standard", "cot"),
        [(0, "paper-same-type"), *((1, icl) for icl in get_args(Selection))],
        ("completion", "chat", "logprob"),
        ("step-by-step", "all"),
        ("none", "cyclic", "random"),
    )
    if prompt == "cot" or trigger == "step-by-step"
]


PUBLISHED = {"id": "orqa@793beee", "sha256": "0" * 64}


def view(options: OrqaOptions, policy: str = "random", **more: Any) -> RunView:
    records = played(BENCHMARK, policy, options, more.get("seed", 0), limit=more.pop("first", 8))
    return run_view(BENCHMARK, records, options, model=f"ordojo/{policy}", **more)


def panels(*runs: RunView) -> dict[str, Panel]:
    shown = BENCHMARK.panels(runs)
    for panel in shown:
        check_panel(panel)
    assert len({panel.title for panel in shown}) == len(shown)
    return {panel.title: panel for panel in shown}


@pytest.mark.parametrize("options", VARIANTS, ids=lambda o: BENCHMARK.setting(o.model_dump()))
def test_every_setting_has_a_page_full_or_empty(options: OrqaOptions) -> None:
    run = view(options)
    assert len(panels(run)) >= 4
    panels(run_view(BENCHMARK, [], options))
    lost = [failed(r.id, str(r.gold), r.labels) for r in run.records]
    panels(run_view(BENCHMARK, lost, options))


def test_runs_of_every_setting_stand_on_one_page() -> None:
    runs = [view(options, first=2) for options in VARIANTS[::7]]
    shown = panels(*runs, run_view(BENCHMARK, [], VARIANTS[0]))
    heatmap = shown["Accuracy by question type"]
    assert isinstance(heatmap, Heatmap)
    assert len(heatmap.rows) == len(runs) + 1
    assert heatmap.values[-1] == [None] * 11


def test_no_run_at_all_leaves_the_published_rows() -> None:
    table = panels()["Accuracy by prompting strategy"]
    assert isinstance(table, Table)
    assert table.published == frozenset(range(len(table.rows)))
    rows = {row[0]: list(row[1:]) for row in table.rows}
    assert rows["Llama3.1-405B-I"] == [0.723, 0.753, 0.772, 0.695, 0.360]
    assert rows["FLAN-T5-XXL-11B"] == [0.503, None, None, 0.457, None]
    assert rows["human expert (100 questions)"] == [0.93, None, None, None, None]


def test_our_runs_stand_before_the_published_rows_in_their_column() -> None:
    runs = [
        view(OrqaOptions(dataset="orqa@ordojo", shots=3), "gold", dataset=PUBLISHED),
        view(OrqaOptions(dataset="orqa@ordojo"), "noop", dataset=PUBLISHED),
        view(OrqaOptions(dataset="orqa@ordojo", permute="cyclic"), "majority", dataset=PUBLISHED),
    ]
    table = panels(*runs)["Accuracy by prompting strategy"]
    assert isinstance(table, Table)
    gold, noop, *quoted = [list(row) for row in table.rows]
    assert [gold[0], noop[0]] == ["ordojo/gold", "ordojo/noop"]
    assert isinstance(gold[3], Estimate) and gold[3].value == 1
    assert isinstance(noop[1], Estimate) and noop[1].value == 0
    assert gold[1] is gold[2] is gold[4] is gold[5] is None
    assert table.published == frozenset(range(2, 2 + len(quoted)))
    assert len(quoted) == 16


def test_seeds_are_pooled_and_what_departs_stands_apart() -> None:
    options = OrqaOptions(dataset="orqa@ordojo")
    seeds = [view(options, dataset=PUBLISHED, seed=seed, first=44) for seed in range(5)]
    title = "Accuracy by prompting strategy"
    limited = view(options, dataset=PUBLISHED, seed=9, first=2, limit=2)
    aside = OrqaOptions(dataset="orqa@ordojo", split="validation")
    held = run_view(BENCHMARK, seeds[0].records, aside, "lab/held", dataset=PUBLISHED)
    found = panels(*seeds, limited, held)
    table, apart = found[title], found[f"{title}, other settings"]
    assert isinstance(table, Table) and isinstance(apart, Table)
    assert table.rows[0][0] == "ordojo/random" and table.rows[1][0] != "ordojo/random"
    cell = table.rows[0][1]
    every = [r for run in seeds for r in run.records]
    right = sum(r.verdicts["published"].score or 0 for r in every)
    assert isinstance(cell, Estimate) and cell.n == 220
    assert cell.value == pytest.approx(right / 220)
    assert "ordojo/random (5 seeds, 220 samples)" in table.note
    assert [row[0] for row in apart.rows] == [
        "ordojo/random · first 2",
        "lab/held · validation split",
    ]
    assert not apart.published


def test_another_study_does_not_overwrite_a_trigger_study() -> None:
    def study(**more: Any) -> RunView:
        asked = OrqaOptions(dataset="orqa@ordojo", prompt="cot", trigger="all")
        return view(asked, first=40, **more)

    def rows(*runs: RunView) -> list[Any]:
        return [
            row
            for title, panel in panels(*runs).items()
            if title.startswith("Trigger prompts") and isinstance(panel, Table)
            for place, row in enumerate(panel.rows)
            if place not in panel.published
        ]

    own = study(policy="gold", dataset=PUBLISHED, generation={"temperature": 0.7})
    other = run_view(
        BENCHMARK,
        study(policy="majority").records,
        OrqaOptions(prompt="cot", trigger="all"),
        "ordojo/gold",
        name="other",
        dataset=PUBLISHED,
    )
    assert len(rows(own, other)) == 2 * len(rows(own))
    assert rows(own, other)[: len(rows(own))] == rows(own)


def test_letters_show_a_model_that_says_one_thing() -> None:
    bars = panels(view(OrqaOptions(dataset="orqa@ordojo"), "majority", first=44))[
        "What was answered: distribution of letters"
    ]
    assert isinstance(bars, Bars)
    key, ours = bars.series
    assert key.name == "the answer key" and sum(map(float, key.values)) == pytest.approx(1)  # type: ignore[arg-type]
    assert sorted(map(float, ours.values)) == [0, 0, 0, 0, 1]  # type: ignore[arg-type]


def test_both_prompts_of_a_model_are_compared_by_skill() -> None:
    ways = [OrqaOptions(dataset="orqa@ordojo", prompt=prompt) for prompt in ("standard", "cot")]
    title = "Standard against chain of thought, by skill"
    assert title not in panels(view(ways[0]))
    bars = panels(*(view(way, "gold", first=44) for way in ways))[title]
    assert isinstance(bars, Bars)
    assert [series.name for series in bars.series] == [
        "ordojo/gold · standard, 0-shot",
        "ordojo/gold · cot, 0-shot",
    ]
    counts = [value.n for value in bars.series[0].values if isinstance(value, Estimate)]
    assert counts == [16, 12, 16]


@pytest.mark.parametrize("trigger", ["step-by-step", "all"])
def test_positions_ask_for_right_in_all_four(trigger: str) -> None:
    options = OrqaOptions(
        dataset="orqa@ordojo", permute="cyclic", prompt="cot", trigger=trigger, reasoning_tokens=9
    )
    first = 20 * len(TRIGGERS)
    for policy, always in [("gold", 1), ("majority", 0)]:
        table = panels(view(options, policy, first=first))["Sensitivity to the order of options"]
        assert isinstance(table, Table)
        (row,) = table.rows
        assert row[table.columns.index("right in all four")] == always
    by_letter = [e.value for e in row[2:6] if isinstance(e, Estimate)]
    assert sorted(by_letter) == [0, 0, 0, 1]


def test_selection_shows_table_5_beside_few_shot_runs() -> None:
    title = "Selection of in-context examples"
    assert title not in panels(view(VARIANTS[0]))
    asked = OrqaOptions(dataset="orqa@ordojo", prompt="cot", shots=1, icl="random")
    other = view(OrqaOptions(dataset="orqa@ordojo", shots=1, icl="random"), dataset=PUBLISHED)
    found = panels(view(asked, dataset=PUBLISHED), other)
    table, apart = found[title], found[f"{title}, other settings"]
    assert isinstance(table, Table) and isinstance(apart, Table)
    assert [row[1] for row in apart.rows] == ["standard, 1-shot, random"] and not apart.published
    assert [row[2] for row in table.rows][:2] == ["random", "random"]
    assert [row[3] for row in table.rows][1:] == [0.3, 0.313, 0.353, 0.362]
    assert table.published == {1, 2, 3, 4}


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({}, "standard, 0-shot"),
        ({"prompt": "cot", "shots": 1}, "cot, 1-shot"),
        ({"shots": 3, "icl": "published-code"}, "standard, 3-shot, published-code"),
        ({"mode": "chat", "permute": "cyclic"}, "standard, 0-shot, chat, cyclic options"),
        ({"prompt": "cot", "trigger": "all"}, "cot, 0-shot, trigger all"),
    ],
)
def test_a_setting_is_named_in_the_papers_words(settings: dict[str, Any], words: str) -> None:
    assert BENCHMARK.setting(OrqaOptions(**settings).model_dump()) == words


def test_published_scores_are_those_of_table_2() -> None:
    scores = BENCHMARK.published()
    assert len(scores) == 15 * 5 - 4 + 1
    assert all(0 < score.score < 1 for score in scores)
