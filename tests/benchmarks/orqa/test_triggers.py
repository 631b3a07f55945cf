"""The trigger study: repeated runs, their spread, and the majority vote over triggers."""

from dataclasses import replace

import pytest

from ordojo.benchmarks.orqa import BENCHMARK
from ordojo.benchmarks.orqa.page import collect, ensemble_accuracies, run_accuracies, vote
from ordojo.benchmarks.orqa.schema import TRIGGERS, OrqaOptions
from ordojo.core.panels import Table
from ordojo.core.records import RunView, SampleRecord
from tests.core.helpers import record, run_view

STUDY = OrqaOptions(prompt="cot", trigger="all")
STEP, ELIMINATION, EXPERT = list(TRIGGERS)[:3]


def answers(name: str, said: str, gold: str, epoch: int = 1, mark: str = "") -> list[SampleRecord]:
    """One record a question; "-" is an unparsed reply."""
    return [
        record(
            f"test-{place:04d}{mark}~{name}",
            right,
            None if letter == "-" else letter,
            epoch=epoch,
            labels={"type": "Q1", "skill": "A", "trigger": TRIGGERS[name]},
        )
        for place, (letter, right) in enumerate(zip(said, gold, strict=True))
    ]


def run(*groups: list[SampleRecord], seed: int = 0, options: OrqaOptions = STUDY) -> RunView:
    return run_view(BENCHMARK, [r for group in groups for r in group], options, seed=seed)


@pytest.mark.parametrize(
    ("letters", "winner"),
    [
        (["A", "B", "B"], "B"),
        (["B", "A"], "A"),
        (["D", "C", "D", "C"], "C"),
        ([None, None, "D"], "D"),
        ([None, "B", None, "B", "A"], "B"),
        ([None, None], None),
        ([], None),
        (["E", "D"], "D"),
    ],
)
def test_the_vote_takes_the_majority_ties_by_alphabet_and_no_abstention(
    letters: list[str | None], winner: str | None
) -> None:
    assert vote(letters) == winner


def test_mean_spread_best_and_vote_of_a_study_done_by_hand() -> None:
    gold = "ABCD"
    study = run(
        answers(STEP, "ABCA", gold, epoch=1),  # 3 of 4
        answers(STEP, "AAAA", gold, epoch=2),  # 1 of 4
        answers(ELIMINATION, "ABDD", gold, epoch=1),  # 3 of 4
        answers(ELIMINATION, "-BCD", gold, epoch=2),  # 3 of 4
    )
    votes = collect([study])
    assert run_accuracies(votes, TRIGGERS[STEP]) == [0.75, 0.25]
    assert run_accuracies(votes, TRIGGERS[ELIMINATION]) == [0.75, 0.75]
    # Epoch 1: A, B, tie C/D -> C, tie A/D -> A: 3 of 4. Epoch 2: A alone, ties A: 1 of 4.
    assert ensemble_accuracies(votes) == [0.75, 0.25]

    paper = replace(study.header, dataset={"id": "orqa@793beee"}, generation={"temperature": 0.7})
    shown = BENCHMARK.panels([replace(study, header=paper)])
    (table,) = [p for p in shown if p.title == "Trigger prompts"]
    assert isinstance(table, Table)
    ours = [list(row) for row in table.rows[:3]]
    name = "lab/model, cot, 0-shot, temperature 0.7"
    assert ours[0] == [name, TRIGGERS[STEP], 0.5, 0.25, 0.75, 2]
    assert ours[1] == [name, TRIGGERS[ELIMINATION], 0.75, 0, 0.75, 2]
    assert ours[2] == [name, "(majority vote over all)", 0.5, 0.25, 0.75, 2]
    assert table.published == frozenset(range(3, 9))
    assert [row[2] for row in table.rows[3:]] == [0.688, 0.648, 0.689, 0.674, 0.685, 0.696]


def test_questions_and_repetitions_that_a_trigger_lacks_are_left_out_of_the_vote() -> None:
    votes = collect(
        [
            run(
                answers(STEP, "AB", "AA"),
                answers(ELIMINATION, "A", "A"),
                answers(STEP, "AB", "AA", epoch=2),
            )
        ]
    )
    assert ensemble_accuracies(votes) == [1.0]


def test_runs_of_one_trigger_each_are_brought_together_and_seeds_are_repetitions() -> None:
    runs = [
        run(answers(name, said, "AB"), seed=seed, options=OrqaOptions(prompt="cot", trigger=name))
        for name, said, seed in [(STEP, "AB", 0), (STEP, "AA", 1), (EXPERT, "AB", 0)]
    ]
    votes = collect(runs)
    assert run_accuracies(votes, TRIGGERS[STEP]) == [1.0, 0.5]
    assert ensemble_accuracies(votes) == [1.0]
    (table,) = [p for p in BENCHMARK.panels(runs) if p.title == "Trigger prompts"]
    assert isinstance(table, Table)
    assert [row[0] for row in table.rows[:3]] == ["lab/model, cot, 0-shot"] * 3


def test_runs_under_other_settings_are_not_mixed() -> None:
    other = STUDY.model_copy(update={"mode": "logprob"})
    runs = [
        run(answers(STEP, "A", "A"), answers(EXPERT, "A", "A")),
        run(answers(STEP, "B", "A"), answers(EXPERT, "B", "A"), options=other),
    ]
    (table,) = [p for p in BENCHMARK.panels(runs) if p.title == "Trigger prompts"]
    assert isinstance(table, Table)
    assert [row[0] for row in table.rows[:6]] == [
        *["lab/model, cot, 0-shot"] * 3,
        *["lab/model, cot, 0-shot, logprob"] * 3,
    ]
    assert [row[2] for row in table.rows[:6]] == [1.0] * 3 + [0.0] * 3


def test_every_rotation_of_a_question_counts_for_itself() -> None:
    votes = collect(
        [
            run(
                answers(STEP, "A", "A", mark="~0"),
                answers(STEP, "A", "B", mark="~1"),
                answers(EXPERT, "A", "A", mark="~0"),
                answers(EXPERT, "A", "B", mark="~1"),
            )
        ]
    )
    assert run_accuracies(votes, TRIGGERS[STEP]) == [0.5]
    assert ensemble_accuracies(votes) == [0.5]


def test_one_trigger_alone_makes_no_study() -> None:
    assert ensemble_accuracies(collect([])) == []
    panels = BENCHMARK.panels([run(answers(STEP, "AB", "AB"))])
    assert "Trigger prompts" not in {panel.title for panel in panels}
