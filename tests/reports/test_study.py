import math
from dataclasses import replace

import pytest

from ordojo.core.errors import RunError
from ordojo.core.judge import Verdict
from ordojo.core.options import Options
from ordojo.core.panels import Published
from ordojo.reports import overview
from ordojo.reports.compare import compare, item_scores, pairs
from ordojo.reports.site import command
from ordojo.reports.study import study

from .fakes import Fake, failed, lookup, run, sample, some_runs


def made(runs=None, look=lookup):
    return study(some_runs() if runs is None else runs, look, "Title")


def test_no_runs_and_equal_names_are_run_errors():
    with pytest.raises(RunError, match="no run"):
        made([])
    with pytest.raises(RunError, match="two runs are called 'a'"):
        made([run("m", name="a"), run("n", name="a")])


def test_a_column_is_one_version_of_one_dataset():
    runs = [
        run("m", name="a"),
        run("m", name="b", benchmark_version="2"),
        run("m", name="c", dataset={"id": "fake@1", "sha256": "cd" * 32}),
        run("m", name="d", dataset={"id": "fake@2", "sha256": "ef" * 32}),
    ]
    columns = made(runs).columns
    named = [(c.version, c.dataset, [r.run.name for r in c.runs]) for c in columns]
    assert named == [
        ("1", "fake@1@" + "ab" * 6, ["a"]),
        ("1", "fake@1@" + "cd" * 6, ["c"]),
        ("1", "fake@2", ["d"]),
        ("2", "fake@1", ["b"]),
        ("", "as published", []),
    ]
    assert [bool(c.published) for c in columns] == [False] * 4 + [True]
    assert len({c.key for c in columns}) == 5


def test_scores_quoted_on_another_dataset_stand_apart():
    class Choosy(Fake):
        quoted = (Published("p", "", 0.5, "table 1", dataset="papers@1"),)

    def datasets(name):
        runs = [run("m", dataset={"id": name, "sha256": "ab"})]
        return [
            (column.dataset, len(column.runs), len(column.published))
            for column in study(runs, lambda _: Choosy(), "t").columns
        ]

    assert datasets("papers@1") == [("papers@1", 1, 1)]
    assert datasets("ours@1") == [("ours@1", 1, 0), ("as published", 0, 1)]


def test_counts_tell_unfinished_unparsed_unsupported_unscored_and_errors():
    ours = {"strict": Verdict("strict", "unsupported", 0.0, reason="a licence is missing")}
    records = [sample(0, 1.0), sample(1, None), sample(2, 0.0), sample(4, 0.0, verdicts=ours)]
    later = run("m", records=records, errors=[failed(2), failed(3), failed(3)], items=6)
    summary = made([later]).runs[0]
    counts = summary.counts
    assert (counts.finished, counts.items, counts.unscored, counts.errors) == (4, 6, 1, 1)
    assert (counts.unsupported, counts.unparsed) == (1, 0)
    assert not counts.complete
    assert {record.id for record in summary.failures} == {"item-3"}


def test_kinds_and_spread_over_rules():
    runs = made(
        [
            run("ordojo/random", 0.2),
            run("lab/m", records=[sample(0, 0.0, 1.0), sample(1, 1.0)]),
            run("lab/n", records=[sample(0, 1.0), sample(1, 1.0)]),
        ]
    ).runs
    found = {r.model: (r.kind, r.spread) for r in runs}
    assert found["ordojo/random"][0] == "baseline"
    assert found["lab/m"] == ("model", (0.5, 1.0))
    assert found["lab/n"] == ("model", None)


def test_a_run_without_finished_samples_is_shown_without_a_score():
    summary = made([run("m", records=[], errors=[failed(0)])]).runs[0]
    assert math.isnan(summary.score.value)
    assert summary.spread is None


def test_rows_hold_every_entry_once_and_share_settings():
    found = made()
    rows = overview.rows(found)
    cells = [cell for row in rows for cell in row.cells if cell is not None]
    assert len(cells) == len(found.runs) + sum(len(c.published) for c in found.columns)
    alpha = [row for row in rows if row.model == "lab/alpha"]
    assert [row.setting for row in alpha] == ["shots=0", "shots=1"]
    assert sum(cell is not None for cell in alpha[0].cells) == 2
    scores = [overview.value(row.cells[0]) for row in rows]
    known = [score for score in scores if score is not None]
    assert known == sorted(known, reverse=True)
    assert scores[: len(known)] == known


def test_different_settings_of_one_model_stand_side_by_side():
    runs = [
        run("m", name="a", options={"x": 1}),
        run("m", name="b", options={"y": 2}, benchmark="other"),
        run("m", name="c", options={"x": 1}, seed=9),
    ]
    rows = [row for row in overview.rows(made(runs)) if row.kind == "model"]
    assert [sum(cell is not None for cell in row.cells) for row in rows] in ([2, 1], [1, 2])


def test_published_scores_outside_the_unit_interval_widen_the_axis():
    class Wide(Fake):
        quoted = tuple(
            Published(name, "", score, "table 1", dataset="fake@1")
            for name, score in (("p", 12.0), ("q", -1.0))
        )

    column = study([run("m")], lambda name: Wide(), "t").columns[0]
    assert column.bounds == (-1.0, 12.0)


def test_pairs_compare_the_same_content_only():
    a = run("a", records=[sample(0, 1.0), sample(1, 1.0), sample(2, None)])
    b = run("b", records=[sample(0, 0.0), sample(1, 1.0, content_hash="other"), sample(2, 1.0)])
    found = compare(item_scores(a), item_scores(b))
    assert found.difference.n == 1
    assert found.difference.value == 1.0
    assert math.isnan(compare(item_scores(a), {}).p_value)


def test_epochs_are_averaged_within_an_item():
    twice = run("a", records=[sample(0, 1.0), sample(0, 0.0, epoch=2)])
    assert list(item_scores(twice).values()) == [(0.5, "text-0")]


def test_pairs_find_a_clear_difference_and_no_false_one():
    column = made(
        [run("good", 0.95, 60), run("bad", 0.1, 60, seed=5), run("same", 0.1, 60, seed=5)]
    ).columns[0]
    found = {(p.first, p.second): p for p in pairs(column)}
    assert found[0, 1].resolved
    assert found[0, 1].comparison.difference.value > 0.5
    assert found[1, 2].comparison.difference.value == 0
    assert not found[1, 2].resolved


def test_command_repeats_the_run_word_for_word():
    header = run(
        "vllm/a b",
        options={"prompt": "let's go", "shots": 3, "chat": True, "none": None},
        limit=20,
        epochs=4,
    ).header
    assert command(header) == (
        "ordojo eval fake-qa --model 'vllm/a b' -T 'prompt=let'\"'\"'s go' -T shots=3 -T chat=true "
        "-T none=null --limit 20 --epochs 4 --seed 7"
    )


def test_the_first_figure_says_n_interval_and_baseline():
    column = made(
        [
            run("lab/m", 0.8, n=30, name="a", options={"shots": 0}),
            run("lab/m", 0.2, n=30, name="b", options={"shots": 0}, seed=2),
            run("lab/n", 1.0, n=2, limit=2, name="c"),
            run("ordojo/random", 0.3, n=30),
            run("ordojo/gold", 1.0, n=30),
        ]
    ).columns[0]
    lead = column.lead
    assert lead is not None and lead.model == "lab/m", "two of a limited run are not the best"
    assert lead.score.n == 30 and lead.score.low < lead.score.value < lead.score.high
    assert lead.baseline.startswith("random 0.")
    only = made([run("lab/n", 1.0, n=2, limit=2)]).columns[0].lead
    assert (
        only is not None and only.setting == "shots=0, first 2" and only.baseline == "chance 0.250"
    )
    assert made([run("ordojo/gold", 1.0)]).columns[0].lead is None


def test_seeds_of_one_setting_are_pooled_in_the_first_figure():
    runs = [
        replace(one, header=replace(one.header, seed=seed))
        for seed in range(3)
        for one in [run("lab/m", 0.5, n=30, seed=seed, name=str(seed))]
    ]
    lead = made(runs).columns[0].lead
    assert lead is not None and lead.score.n == 90 and "3 seeds, 90 samples" in lead.setting
    values = [summary.score.value for summary in made(runs).columns[0].runs]
    assert lead.score.value == pytest.approx(sum(values) / 3)


def test_runs_of_two_versions_stand_apart_and_it_is_said():
    found = made([run("m", name="a"), run("m", name="b", benchmark_version="2")])
    assert found.versions == {"Fake <QA>": ["1", "2"]}
    assert [len(column.runs) for column in found.columns if column.runs] == [1, 1]
    assert made([run("m", name="a"), run("n", name="b")]).versions == {}


def test_another_split_is_another_column():
    class Split(Options):
        split: str = "test"

    class Parted(Fake):
        options = Split

    runs = [run("m", name=name, options={"split": name}) for name in ("test", "validation")]
    columns = study(runs, lambda _: Parted(), "t").columns
    assert [(c.dataset, len(c.published)) for c in columns] == [
        ("fake@1", 1),
        ("fake@1, validation split", 0),
    ]


def test_a_rule_that_decides_fewer_replies_makes_no_range():
    some = [sample(0, 0.0, 1.0), sample(1, 1.0)]
    unsure = replace(some[0].verdicts["lenient"], outcome="unscored", score=None)
    some[0] = replace(some[0], verdicts={**some[0].verdicts, "lenient": unsure})
    (summary,) = made([run("m", records=some)]).runs
    assert summary.score_under("lenient").value == 1 and summary.spread is None
    silent = [replace(r, verdicts={**r.verdicts, "lenient": unsure}) for r in some]
    assert made([run("m", records=silent)]).columns[0].rules == ("strict",)
