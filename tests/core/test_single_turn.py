"""What follows from a question and its answer, and what conformance refuses."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordojo.core.conformance import ConformanceError, check_benchmark
from ordojo.core.environment import Environment, Step
from ordojo.core.episode import Episode, Turn, play
from ordojo.core.errors import BenchmarkError, DataError, UsageError
from ordojo.core.instance import Instance, write_instances
from ordojo.core.options import Options
from ordojo.core.panels import Table
from ordojo.core.records import RunHeader, RunView, SampleRecord
from ordojo.core.single_turn import GeneratedOptions, SingleTurn, SingleTurnEnvironment

Toy = SingleTurn[Any, Any]


class Sums(Toy):
    name, title, summary = "sums", "Sums", "The sum of two numbers"

    def generate(self, rng: np.random.Generator, options: Options) -> Any:
        return rng.integers(0, 100, size=2)

    def prompt(self, problem: Any) -> str:
        return f"{problem[0]} + {problem[1]} = ?"

    def truth(self, problem: Any) -> Any:
        return problem.sum()

    def labels(self, problem: Any) -> Mapping[str, str]:
        return {"carry": "yes" if sum(int(x) % 10 for x in problem) > 9 else "no"}


class Parity(Sums):
    name, title, choices, chance = "parity", "Parity", ("even", "odd"), 0.5

    def truth(self, problem: Any) -> str:
        return self.choices[int(problem.sum()) % 2]

    def parse(self, reply: str, problem: Any) -> str | None:
        return reply if reply in self.choices else None


@pytest.mark.parametrize("benchmark", [Sums(), Parity()], ids=lambda b: str(b.name))
def test_a_question_and_its_answer_are_enough(benchmark: Toy) -> None:
    check_benchmark(benchmark, {"items": 40}, episodes=4, random_plays=400)


class GoldUnread(Sums):
    def parse(self, reply: str, problem: Any) -> float | None:
        return float(reply) + 1 if reply.isdigit() else None


class Raises(Sums):
    def parse(self, reply: str, problem: Any) -> float | None:
        return float(reply)


class Paying(SingleTurnEnvironment[Any]):
    def step(self, text: str) -> Step:
        return Step(None, self.pay(text, super().step(text).reward), terminated=True)

    def pay(self, text: str, score: float) -> float:
        return float(any(c.isdigit() for c in text))


class PaidAlike(Paying):
    def pay(self, text: str, score: float) -> float:
        return 1.0


class PaidInReverse(Paying):
    def pay(self, text: str, score: float) -> float:
        return 1 - score


def paying(kind: type[Paying]) -> type[Toy]:
    class Paid(Sums):
        def environment(self, options: Options, seed: int) -> Environment[Any]:
            return kind(self.name, self._ask, self.rules["answer"])

    return Paid


@pytest.mark.parametrize(
    ("make", "fault"),
    [
        (GoldUnread, r"sums-0000: the gold policy's reply '\d+' scores 0.0, not 1 \(wrong"),
        (Raises, "sums-0000: ValueError after the reply 'x'"),
        (
            paying(Paying),
            r"sums-\d+: the reply .+ scores 0 and is paid 1, the reply '\d+'",
        ),
        (paying(PaidAlike), "the mean reward of gold is 1 and of doing nothing 1"),
        (paying(PaidInReverse), "the mean reward of gold is 0 and of doing nothing 1"),
    ],
)
def test_conformance_names_the_instance_and_the_reply(make: type[Toy], fault: str) -> None:
    with pytest.raises(ConformanceError, match=fault):
        check_benchmark(make(), {"items": 20}, episodes=2)


def test_what_is_not_written_is_said() -> None:
    class Bare(Toy):
        name, title, summary = "bare", "Bare", "Nothing"

    class OwnOptions(Sums):
        options = Options

    with pytest.raises(BenchmarkError, match=re.escape("write generate() or load()")):
        Bare().load(GeneratedOptions(), 0)
    with pytest.raises(BenchmarkError, match="extend GeneratedOptions"):
        OwnOptions().load(Options(), 0)
    instance = Sums().load(GeneratedOptions(items=1), 0)[0]
    with pytest.raises(BenchmarkError, match=re.escape("write prompt()")):
        Bare().environment(GeneratedOptions(), 0).reset(instance, 0)
    with pytest.raises(DataError, match="does not belong"):
        Parity().verify(instance)


@given(st.text(max_size=60))
def test_the_reward_is_the_headline_score(reply: str) -> None:
    benchmark, options = Sums(), GeneratedOptions(items=1)
    instance = benchmark.load(options, 0)[0]
    episode = play(benchmark.environment(options, 0), instance, lambda asked: reply)
    assert episode.reward == benchmark.rules["answer"](instance, episode).score


@pytest.mark.parametrize(
    ("said", "truth", "score"),
    [
        (1000.0009, 1000, 1.0),
        (1000.0011, 1000, 0.0),
        (1e-7, 0, 1.0),
        (1e300, 10**40, 0.0),
        (["a", 1], ["a", 1], 1.0),
        (["a", 1], ["a", 2], 0.0),
        ("7", 7, 0.0),
    ],
)
def test_numbers_are_equal_to_1e_6_and_all_else_exactly(
    said: Any, truth: Any, score: float
) -> None:
    assert Sums().score(said, truth) == score


def test_the_page_has_scores_endings_and_labels() -> None:
    benchmark = Sums()
    options = GeneratedOptions(items=6)

    def record(instance: Instance[Any], reply: str) -> SampleRecord:
        episode = Episode((Turn((), "chat", reply),))
        verdicts = {"answer": benchmark.rules["answer"](instance, episode)}
        gold = benchmark.gold(instance)
        return SampleRecord(
            *(instance.id, 1, instance.content_hash, instance.cluster, instance.labels, gold),
            episode,
            verdicts,
        )

    instances = benchmark.load(options, 0)
    golds = [str(benchmark.gold(instance)) for instance in instances]
    replies = [*golds[:3], "Answer: -1", "who knows", ""]
    records = [record(*pair) for pair in zip(instances, replies, strict=True)]
    header = RunHeader("sums", "1", "m", {"items": 6}, {"id": "d"}, "answer", 0, 1, None, 6)
    scores, carry = benchmark.panels([RunView("r", header, records)])
    assert isinstance(scores, Table) and isinstance(carry, Table)
    row = dict(zip(scores.columns, scores.rows[0], strict=True))
    estimates = {n: row[n].value for n in ("score", "correct", "wrong", "unparsed")}  # type: ignore[union-attr]
    assert (row["n"], row["model"]) == (6, "m")
    assert estimates == pytest.approx(
        {"score": 1 / 2, "correct": 1 / 2, "wrong": 1 / 6, "unparsed": 1 / 3}
    )
    assert sum(cells[1].n for cells in carry.rows) == 6  # type: ignore[union-attr]
    assert [cells[0] for cells in carry.rows] == sorted({i.labels["carry"] for i in instances})
    empty, *rest = benchmark.panels([])
    assert isinstance(empty, Table) and not empty.rows and not rest


class Pairs(Sums):
    def generate(self, rng: np.random.Generator, options: Options) -> Any:
        return rng.integers(0, 100, size=2).tolist()

    def truth(self, problem: Any) -> Any:
        return sum(problem)


def test_what_was_built_is_asked_from_its_file(tmp_path: Path) -> None:
    benchmark, file = Pairs(), tmp_path / "pairs.jsonl"
    built = benchmark.load(GeneratedOptions(items=3), 7)
    write_instances(file, built)
    options = GeneratedOptions(instances=str(file))
    assert benchmark.load(options, 0) == built
    assert benchmark.dataset(options)["id"] == "sums@pairs.jsonl"
    assert benchmark.setting(options.model_dump()) == f"instances={file}"
    assert benchmark.setting(GeneratedOptions(items=3).model_dump()) == "items=3"
    with pytest.raises(UsageError, match="items=3 together with instances=FILE; leave one"):
        benchmark.load(GeneratedOptions(items=3, instances=str(file)), 0)
    file.write_text(file.read_text().replace("sums", "sums2"))
    with pytest.raises(DataError, match="jsonl:1: benchmark is 'sums2', not 'sums'"):
        benchmark.load(options, 0)
