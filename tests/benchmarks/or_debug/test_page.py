"""OR-Debug-Bench's page of the report."""

from dataclasses import replace
from typing import Any

import pytest

from ordojo.benchmarks.or_debug.page import COMPARED, panels, setting
from ordojo.benchmarks.or_debug.published import published_scores, table32
from ordojo.benchmarks.or_debug.schema import TYPES, OrDebugOptions
from ordojo.core.panels import Heatmap, Panel, Plot, Table
from ordojo.core.records import RunView
from ordojo.core.statistics import Estimate
from ordojo.reports.panels import draw
from tests.benchmarks.or_debug.made import idle, lost, records, solved, view
from tests.core.helpers import check_panel, failed

GOLD = view("ordojo/gold", records(lambda asked, _: solved(1)))
NOOP = view("ordojo/noop", records(lambda asked, _: idle()))
LOST = view("lab/lost", records(lambda asked, _: lost()))
MIXED = view(
    "lab/mixed",
    records(
        lambda asked, epoch: [solved(epoch), solved(4, op=0.9), lost()][asked.problem.index % 3],
        epochs=2,
        tokens=(500, 100),
    ),
)
EMPTY = view("lab/empty", [])
FAILED = view("lab/failed", [failed("x", "1")])


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


def plot(panel: Panel) -> Plot:
    assert isinstance(panel, Plot)
    return panel


def value(cell: object) -> float:
    assert isinstance(cell, Estimate)
    return cell.value


@pytest.mark.parametrize(
    "runs",
    [(), (EMPTY,), (FAILED,), (NOOP,), (MIXED,), (GOLD, NOOP, LOST, MIXED, EMPTY, FAILED)],
    ids=["none", "empty", "failed", "noop", "mixed", "all"],
)
def test_every_page_is_whole(runs: tuple[RunView, ...]) -> None:
    titles = shown(*runs).keys()
    assert {
        "Recovery, diagnosis and optimality",
        "RR@k",
        "RR@5 by error type",
        "Diagnosis",
        "Why episodes failed",
        "Semantic drift",
        "Tokens",
    } <= titles


def test_published_rows_stand_below_our_own() -> None:
    panel = table(shown(GOLD, NOOP)["Recovery, diagnosis and optimality"])
    assert [value(cell) for cell in panel.rows[0][2:]] == [1, 1, 0.5, 1, 1]
    assert panel.rows[1][5:] == [None, None], "noop has neither OP nor steps"
    assert panel.published == frozenset(range(2, 32))
    rows = {row[0]: list(row[1:]) for row in panel.rows[2:]}
    assert rows["gemini-2.5-pro"] == ["table 32", 0.629, 0.627, 0.525, None, 0.83]
    assert rows["Llama-3.1-8B-GRPO"] == ["table 11", 1.0, 0.973, 0.603, None, 1.82]


def test_tables_32_and_11_are_quoted_for_the_leaderboard() -> None:
    scores = published_scores()
    assert len(scores) == len({s.model for s in scores}) == 30
    assert sum("table 32" in s.source for s in scores) == 26
    assert [s.score for s in scores] == sorted((s.score for s in scores), reverse=True)
    (found,) = [s for s in scores if s.model == "o4-mini"]
    assert found.score == 0.862 and found.extra == {"rr": 0.978, "da": 0.478, "steps": 3.15}


def test_the_curve_has_twenty_points_and_the_published_ones() -> None:
    panel = plot(shown(MIXED)["RR@k"])
    (_, ours), *quoted = panel.series
    assert [x for x, _ in ours] == list(range(1, 21)) and ours[0][1] < ours[1][1] == ours[-1][1]
    assert dict(quoted)["o4-mini (published)"] == ((5, 0.862), (10, 0.907))
    low, high = dict(quoted)["lowest to highest of 30 (published)"]
    assert (low[1], high[1]) == (0.316, 0.973)


def test_types_stand_above_the_mean_of_table_39() -> None:
    panel = shown(GOLD, LOST)["RR@5 by error type"]
    assert isinstance(panel, Heatmap) and panel.published == {2}
    assert panel.values[0] == [1] * 9 and panel.values[1] == [0] * 9
    assert panel.values[2] == [0.61, 0.95, 0.86, 0.63, 0.69, 0.49, 0.53, 0.82, 0.75]
    assert panel.columns[0] == "A direction flip" and len(panel.columns) == len(TYPES)


def test_failures_are_counted_beside_table_35() -> None:
    panel = table(shown(GOLD, NOOP, LOST)["Why episodes failed"])
    counts = [dict(zip(panel.columns, row, strict=True)) for row in panel.rows]
    assert counts[0]["failures"] == 0
    assert counts[1]["failures"] == counts[1]["nothing done"] == 36
    assert counts[2]["wrong constraint identified"] == 36
    assert counts[3]["cascading failure"] == 42 and counts[3]["nothing done"] is None


def test_tokens_are_shown_of_runs_that_have_them() -> None:
    panel = table(shown(GOLD, MIXED)["Tokens"])
    assert [row[0] for row in panel.rows][:2] == ["lab/mixed", "Qwen3-8B-GRPO"]
    assert value(panel.rows[0][2]) == 600
    assert panel.rows[1][2:] == [2011, None, 2.25, 2109]


def test_attempts_are_drawn_of_runs_with_epochs() -> None:
    assert "Several attempts" not in shown(GOLD)
    ((name, points),) = plot(shown(GOLD, MIXED)["Several attempts"]).series
    assert name.startswith("lab/mixed") and [x for x, _ in points] == [1, 2]


def test_levels_are_calibrated_on_models_alone() -> None:
    assert "Difficulty, measured" not in shown(GOLD, NOOP, EMPTY)
    found = shown(GOLD, LOST)
    rows = table(found["Difficulty, measured"]).rows
    assert [row[0] for row in rows] == [f"{kind} {name}" for kind, name in TYPES.items()]
    assert {row[5] for row in rows} == {"reject"} and {row[3] for row in rows} == {0}
    levels = {row[0]: row for row in table(found["Difficulty levels"]).rows}
    assert levels["easy"][1:] == ["85% to 100%", "B, C", 0.905, "", None]
    assert levels["reject"][4] == "A, B, C, D, E, F, G, H, I"


def test_diagnosis_is_plotted_against_the_objective() -> None:
    found = shown(GOLD, NOOP)
    ((name, points),) = plot(found["OP against DA"]).series
    assert "gold" in name and points == [(0.5, 1.0)]
    *ours, (_, local), (_, api) = plot(found["RR@5 against DA"]).series
    assert len(ours) == 2 and (len(local), len(api)) == (8, 22) and len(table32()) == 30
    assert min(y for _, y in local) > max(y for _, y in api)
    assert "OP against DA" not in shown(NOOP)


def test_the_papers_settings_stand_beside_ours_where_they_were_run() -> None:
    assert not COMPARED.keys() & shown(GOLD).keys()
    rag = view("lab/rag", GOLD.records, rag="by_type", k=3)
    shots = view("lab/shots", GOLD.records, shots=3)
    found = shown(GOLD, rag, shots)
    retrieval, prompting = table(found["Retrieval"]), table(found["Examples in the prompt"])
    assert [row[0] for row in retrieval.rows][:3] == ["ordojo/gold", "lab/rag", "no retrieval"]
    assert len(retrieval.published) == 7
    assert [row[0] for row in prompting.rows][:2] == ["ordojo/gold", "lab/shots"]
    assert len(prompting.published) == 6
    rows = {(row[0], row[1]): list(row[2:]) for row in prompting.rows}
    assert rows["Qwen3-8B, 3-shot", "table 42"] == [None, 0.387, 0.298, None, 5.4]
    assert "Chain of thought without examples" not in found


def test_samples_of_the_papers_size_stand_beside_it_and_others_do_not() -> None:
    def drawn(size: int) -> RunView:
        rag = view(f"lab/{size}", GOLD.records, rag="by_type")
        return replace(rag, header=replace(rag.header, sample=size))

    rows = table(shown(drawn(200), drawn(100))["Retrieval"]).rows
    assert [row[0] for row in rows][:2] == ["lab/200", "no retrieval"]
    assert "Retrieval" not in shown(drawn(100))


def test_two_runs_of_one_model_are_told_apart() -> None:
    again = view("ordojo/gold", GOLD.records, name="again", time_limit=60.0)
    rows = shown(GOLD, again)["RR@5 by error type"]
    assert isinstance(rows, Heatmap) and rows.rows[0] != rows.rows[1]


def test_the_prompt_of_table_41_stands_in_its_panel() -> None:
    cot = view("lab/cot", GOLD.records, prompt="zero-shot-cot")
    rows = table(shown(GOLD, cot)["Chain of thought without examples"]).rows
    assert [row[:2] for row in rows[:2]] == [
        ["ordojo/gold", "workflow, 0-shot"],
        ["lab/cot", "zero-shot-cot, 0-shot"],
    ]


def test_what_departs_from_the_protocol_stands_without_published_rows() -> None:
    own = view("lab/own", LOST.records, oracle="gurobi")
    part = view("lab/part", LOST.records[:9], items=36)
    found = shown(GOLD, own, part)
    beside = table(found["Recovery, diagnosis and optimality"])
    assert [row[0] for row in beside.rows if row[1] == "workflow, 0-shot"] == ["ordojo/gold"]
    apart = table(found["Recovery, diagnosis and optimality, other settings"])
    assert [row[:2] for row in apart.rows] == [
        ["lab/own", "workflow, 0-shot, gurobi"],
        ["lab/part", "workflow, 0-shot, 9 of 36 items"],
    ]
    assert not apart.published


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "workflow, 0-shot"),
        ({"prompt": "cot", "shots": 3}, "cot, 3-shot"),
        ({"rag": "by_type", "k": 7}, "workflow, 0-shot, by_type, k=7"),
        ({"set": "train", "history": "state"}, "workflow, 0-shot, training set, state each turn"),
        ({"instances": "a.jsonl", "oracle": "gurobi"}, "workflow, 0-shot, own instances, gurobi"),
        (
            {"end": "submit", "count": "all"},
            "workflow, 0-shot, ends at SUBMIT, every action counts",
        ),
        ({"iis": "rows+bounds", "simulate": True}, "workflow, 0-shot, IIS with bounds, simulated"),
        ({"max_steps": 20}, "workflow, 0-shot, 20 steps"),
    ],
)
def test_a_setting_is_named(options: dict[str, Any], words: str) -> None:
    assert setting(OrDebugOptions(**options).model_dump()) == words
    assert setting({}) == "workflow, 0-shot"
