import json
import math
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from ordojo.benchmarks.orqa import BENCHMARK
from ordojo.benchmarks.orqa.reasoning import (
    LABELS,
    METRICS,
    PAPER,
    REASONS,
    error_types,
    judge_prompt,
    label_with_model,
    reasoning_items,
    table4,
)
from ordojo.benchmarks.orqa.schema import OrqaOptions
from ordojo.cli import cli
from ordojo.core.environment import Observation
from ordojo.core.errors import DataError
from ordojo.core.records import SampleRecord
from ordojo.evaluation.session import EvaluationSession
from ordojo.review import ReviewItem, ReviewQueue

CHAIN = "The bands share channels.\n\nFees are per channel, i.e. flat. So the answer is D."


def chains(shots: int, count: int, right: int) -> list[SampleRecord]:
    """Real records of orqa: `count` chains of thought, the first `right` with the right letter."""
    options = OrqaOptions(dataset="orqa@ordojo", prompt="cot", shots=shots)
    session = EvaluationSession(BENCHMARK, options, seed=1, limit=count)
    records = []
    for index, instance in enumerate(session.instances):
        gold = instance.problem.letter
        said = gold if index < right else "ABCD"[("ABCD".index(gold) + 1) % 4]

        def act(asked: Observation, said: str = said) -> str:
            return said if asked.choices else CHAIN

        attempt = session.begin(instance)
        while attempt.steps.observation is not None:
            attempt.steps.reply(act(attempt.steps.observation))
        records.append(attempt.record(epoch=1))
    return records


@pytest.fixture
def queue(tmp_path: Path) -> Iterator[ReviewQueue]:
    items = reasoning_items(chains(0, 4, 2), "0-shot", "published")
    items += reasoning_items(chains(1, 2, 2), "1-shot", "published")
    ReviewQueue.create(tmp_path / "queue", items, title="ORQA reasoning", reasons=REASONS)
    with ReviewQueue.open(tmp_path / "queue", write=True) as opened:
        yield opened


def test_an_item_shows_the_question_alone_even_of_a_few_shot_prompt() -> None:
    (record,) = chains(1, 1, 1)
    (item,) = reasoning_items([record], "1-shot")
    problem = BENCHMARK.load(OrqaOptions(dataset="orqa@ordojo"), 1)[0].problem
    assert item.fields["Context"] == problem.context
    assert item.fields["Question"] == problem.question.strip()
    assert item.fields["Options"].split("\n")[3] == f"D. {problem.options[3]}"
    assert item.fields["Model's answer"] == problem.letter
    assert item.fields["Reasoning"] == CHAIN
    assert item.parts == (
        "The bands share channels.",
        "Fees are per channel, i.e. flat.",
        "So the answer is D.",
    )
    assert item.labels == tuple(LABELS)
    assert item.data == {"setting": "1-shot", "type": problem.type, "correct": True}


def test_table_4_from_decisions(queue: ReviewQueue) -> None:
    label = {
        "0-shot/test-0000/1": (["correct"] * 3, "correct"),
        "0-shot/test-0001/1": (["correct", "incorrect-logic", "correct"], "incorrect-logic"),
        "0-shot/test-0002/1": (["correct"] * 3, "correct"),
        "0-shot/test-0003/1": (["incorrect-reading"] * 3, "incorrect-reading"),
    }
    for name, (parts, whole) in label.items():
        queue.decide(name, "label", "ann", parts=parts, label=whole)
    queue.decide("1-shot/test-0000/1", "reject", "ann", reason="not a reasoning")
    queue.decide("1-shot/test-0001/1", "label", "ann", parts=["correct", "", ""])
    table = table4(queue)
    assert list(table.columns) == ["Metric", "0-shot", "1-shot", "0-shot, paper", "1-shot, paper"]
    ours = [row[1] for row in table.rows]
    assert ours == pytest.approx([50.0, 50.0, 25.0, 25.0, 3.0, (1 + 2 / 3 + 1 + 0) / 4])
    assert [row[2] for row in table.rows] == [None] * 6
    assert [row[0] for row in table.rows] == list(METRICS)
    assert [row[3] for row in table.rows] == [35.6, 15.6, 20.0, 0.0, 7.93, 0.682]
    assert [row[4] for row in table.rows] == [33.3, 31.1, 6.7, 4.4, 4.53, 0.611]
    assert table.note.startswith("4 of 6 instances are labelled, 0 of them by a model.")

    types = error_types(queue)
    assert sum(int(str(row[2])) for row in types.rows) == 4
    assert sum(int(str(row[types.columns.index("incorrect-logic")])) for row in types.rows) == 1
    steps = types.columns.index("steps incorrect-reading")
    assert sum(int(str(row[steps])) for row in types.rows) == 3


def test_the_papers_figures_say_that_reasoning_is_correct_if_every_step_is() -> None:
    for right, steps, lucky, unlucky, *_ in PAPER.values():
        assert math.isclose(right - lucky, steps - unlucky, abs_tol=0.11)


def test_an_empty_chain_is_judged_as_a_whole(tmp_path: Path) -> None:
    item = ReviewItem(
        id="0-shot/x/1",
        title="x",
        fields={},
        labels=tuple(LABELS),
        data={"setting": "0-shot", "type": "Q1", "correct": True},
    )
    ReviewQueue.create(tmp_path / "queue", [item], title="t", reasons=REASONS)
    with ReviewQueue.open(tmp_path / "queue", write=True) as queue:
        queue.decide(item.id, "label", "ann", label="insufficient-knowledge")
        assert [row[1] for row in table4(queue).rows] == [100, 0, 100, 0, 0, None]


def test_a_model_judges_and_what_it_garbles_stays_undecided(queue: ReviewQueue) -> None:
    prompts: list[str] = []

    def generate(
        prompt: str, *, max_tokens: int = 1024, temperature: float = 0.0, seed: int = 0
    ) -> str:
        prompts.append(prompt)
        labels = {"parts": ["correct"] * 3, "whole": "correct"}
        return "hm" if len(prompts) == 3 else f"```json\n{json.dumps(labels)}\n```"

    done = label_with_model(queue, generate, "tiny")
    assert (done.labelled, done.unreadable, done.skipped) == (5, 1, 0)
    assert "1. The bands share channels.\n2. Fees" in prompts[0]
    assert '"insufficient-knowledge"' in prompts[0]
    assert prompts[0] == judge_prompt(queue.items[0])
    table = table4(queue)
    assert "5 of 6 instances are labelled, 5 of them by a model" in table.note
    assert table.rows[1][1:3] == (100.0, 100.0)


def test_other_runs_and_queues_are_refused(tmp_path: Path) -> None:
    options = OrqaOptions(dataset="orqa@ordojo")
    session = EvaluationSession(BENCHMARK, options, seed=1, limit=1)
    attempt = session.begin(session.instances[0])
    attempt.steps.reply("A")
    with pytest.raises(DataError, match="`prompt=cot`"):
        reasoning_items([attempt.record(1)], "0-shot")
    failed = session.begin(session.instances[0]).failure(1, "no connection")
    assert reasoning_items([failed], "0-shot") == []
    item = ReviewItem(id="a", title="a", fields={})
    ReviewQueue.create(tmp_path / "queue", [item], title="t", reasons=REASONS)
    with (
        ReviewQueue.open(tmp_path / "queue") as queue,
        pytest.raises(DataError, match="no table 4"),
    ):
        table4(queue)


def test_runs_of_two_models_have_columns_of_their_own(tmp_path: Path) -> None:
    """Through the commands: evaluated, made into one queue, judged, told; other runs left out."""
    said = []
    for words in (
        "eval orqa --model ordojo/random --model ordojo/gold -T dataset=orqa@ordojo -T prompt=cot",
        "eval orqa --model ordojo/random -T dataset=orqa@ordojo",
    ):
        done = CliRunner().invoke(
            cli, [*words.split(), "--limit", "2", "--runs", str(tmp_path / "r")]
        )
        assert done.exit_code == 0, done.output
    for words in ("reasoning {0}/r -o {0}/queue", "table {0}/queue"):
        done = CliRunner().invoke(cli, ["review", *words.format(tmp_path).split()])
        assert done.exit_code == 0, done.output
        said.append(done.output)
    assert "4 chains of thought" in said[0] and "is no run of orqa with prompt=cot" in said[0]
    heads = re.split(" {2,}", said[1].splitlines()[1])
    assert {*heads} == {"Metric", "ordojo/random, 0-shot", "ordojo/gold, 0-shot", "0-shot, paper"}
    words = "eval orqa --model ordojo/gold -T dataset=orqa@ordojo -T prompt=cot --limit 2 --seed 5"
    assert CliRunner().invoke(cli, [*words.split(), "--runs", f"{tmp_path}/r"]).exit_code == 0
    done = CliRunner().invoke(cli, ["review", "reasoning", f"{tmp_path}/r", "-o", f"{tmp_path}/q"])
    assert isinstance(done.exception, DataError) and "name one" in str(done.exception)
