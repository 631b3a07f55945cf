"""The few-shot prompt, byte for byte, and what is asked with it."""

import csv
from collections.abc import Sequence
from importlib.resources import files

import pytest

from ordojo.benchmarks.econlogicqa import BENCHMARK
from ordojo.benchmarks.econlogicqa.schema import EconLogicQAOptions
from ordojo.core.environment import Observation
from ordojo.core.errors import BenchmarkError, DataError, UsageError
from tests.core.helpers import published_folder

Row = dict[str, str]

SHIPPED = EconLogicQAOptions(dataset="econlogicqa@ordojo")


def rows(split: str) -> list[Row]:
    """The rows of a shipped split, straight from the file."""
    text = (files("ordojo.datasets") / "shipped/econlogicqa" / f"{split}.csv").read_text("utf-8")
    return list(csv.DictReader(text.splitlines()))


def block(row: Row) -> str:
    return (
        f"Question: {row['Question']}\n"
        f"A. {row['A']}\nB. {row['B']}\nC. {row['C']}\nD. {row['D']}\n"
        "Answer:"
    )


def prompt(row: Row, examples: Sequence[Row]) -> str:
    shown = "".join(f"{block(example)} {example['Answer']}\n\n" for example in examples)
    return shown + block(row)


def asked(options: EconLogicQAOptions, seed: int = 0) -> list[Observation]:
    environment = BENCHMARK.environment(options, seed)
    return [environment.reset(instance, seed) for instance in BENCHMARK.load(options, seed)]


def examples_in(text: str) -> list[str]:
    """The questions shown before the one that is asked."""
    return [part.partition("\n")[0] for part in text.split("Question: ")[1:-1]]


@pytest.mark.parametrize("shots", [0, 1, 5])
def test_every_row_is_asked_byte_for_byte_after_the_first_training_rows(shots: int) -> None:
    examples = rows("train")[:shots]
    expected = [prompt(row, examples) for row in rows("test")]
    observations = asked(SHIPPED.model_copy(update={"shots": shots}))
    assert [observation.messages[0].content for observation in observations] == expected


def test_generation_is_greedy_raw_and_stops_at_a_new_question() -> None:
    for observation in asked(SHIPPED):
        assert (observation.style, observation.temperature, observation.fresh) == (
            "completion",
            0,
            True,
        )
        assert (observation.stop, observation.max_tokens) == (("Question:",), 64)
        assert len(set(observation.choices)) == 24
        assert observation.choices[:2] == ("A, B, C, D", "A, B, D, C")


def test_chat_says_how_to_answer_and_lets_the_model_reason() -> None:
    for raw, chat in zip(
        asked(SHIPPED), asked(SHIPPED.model_copy(update={"mode": "chat"})), strict=True
    ):
        assert (chat.style, chat.stop) == ("chat", ())
        assert chat.text.endswith(raw.text) and "separated by commas" in chat.text
        assert chat.max_tokens > raw.max_tokens


@pytest.mark.parametrize("kind", ["first", "random"])
def test_a_question_is_never_its_own_example(kind: str) -> None:
    update = {"split": "train", "shots": 11, "examples": kind}
    for observation, row in zip(
        asked(SHIPPED.model_copy(update=update)), rows("train"), strict=True
    ):
        shown = examples_in(observation.text)
        assert len(set(shown)) == 11
        assert row["Question"] not in shown


def test_random_examples_depend_on_the_seed_and_the_question_alone() -> None:
    options = SHIPPED.model_copy(update={"shots": 3, "examples": "random"})
    one, again, other = asked(options), asked(options), asked(options, seed=1)
    assert one == again != other
    assert len({tuple(examples_in(observation.text)) for observation in one}) > 20
    assert all(len(set(examples_in(observation.text))) == 3 for observation in one)


def test_more_examples_than_the_training_split_can_give_are_refused() -> None:
    BENCHMARK.environment(SHIPPED.model_copy(update={"shots": 12}), 0)
    with pytest.raises(DataError, match="has 12 training questions"):
        BENCHMARK.environment(SHIPPED.model_copy(update={"shots": 13}), 0)
    with pytest.raises(DataError, match="has 11 training questions"):
        BENCHMARK.environment(SHIPPED.model_copy(update={"shots": 12, "split": "train"}), 0)


def test_steps_out_of_turn_are_refused() -> None:
    environment = BENCHMARK.environment(SHIPPED, 0)
    with pytest.raises(BenchmarkError, match="before reset"):
        environment.step("A, B, C, D")
    environment.reset(BENCHMARK.load(SHIPPED, 0)[0], 0)
    environment.step("A, B, C, D")
    with pytest.raises(BenchmarkError, match="after the episode's end"):
        environment.step("A, B, C, D")


def test_the_reward_follows_the_headline_rule() -> None:
    instance = BENCHMARK.load(SHIPPED, 0)[0]
    arrows = " -> ".join(instance.problem.order)
    for mode, reward in (("completion", 0.0), ("chat", 1.0)):
        environment = BENCHMARK.environment(SHIPPED.model_copy(update={"mode": mode}), 0)
        for reply, expected in ((instance.problem.answer, 1.0), (arrows, reward)):
            environment.reset(instance, 0)
            assert environment.step(reply).reward == expected


@pytest.mark.data
def test_the_sample_of_six_has_no_training_split() -> None:
    published_folder()
    sample = EconLogicQAOptions(dataset="econlogicqa@hf-sample6", shots=1)
    with pytest.raises(UsageError, match="no split 'train'"):
        BENCHMARK.environment(sample, 0)
    assert len(asked(sample.model_copy(update={"shots": 0}))) == 6
