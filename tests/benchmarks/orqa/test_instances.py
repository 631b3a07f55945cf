"""The instances: their counts, their variants, their answer keys, and what the baselines score."""

from collections import Counter
from dataclasses import replace

import pytest

from ordojo.benchmarks.orqa import BENCHMARK
from ordojo.benchmarks.orqa.schema import LETTERS, TRIGGERS, OrqaOptions, Question
from ordojo.core.errors import BenchmarkError, DataError
from ordojo.core.instance import Certificate, Instance
from ordojo.core.statistics import mean_interval
from tests.benchmarks.orqa import protocol
from tests.core.helpers import played, published_folder

SHIPPED = OrqaOptions(dataset="orqa@ordojo")


def load(seed: int = 0, **settings: object) -> list[Instance[Question]]:
    return list(BENCHMARK.load(SHIPPED.model_copy(update=settings), seed))


def test_questions_are_the_files_rows_in_order() -> None:
    rows = protocol.rows("orqa@ordojo", "test")
    for row, instance in zip(rows, load(), strict=True):
        question = instance.problem
        assert question.context == row["CONTEXT"]
        assert question.question == row["QUESTION"]
        assert list(question.options) == row["OPTIONS"]
        assert question.letter == BENCHMARK.gold(instance) == protocol.letter(row)
        assert instance.labels["type"] == question.type == row["QUESTION_TYPE"]


def test_questions_on_one_context_share_a_cluster() -> None:
    clusters = {instance.cluster: instance.problem.context for instance in load()}
    assert len(clusters) == len({instance.problem.context for instance in load()}) < len(load())


def test_cyclic_asks_every_question_in_all_four_rotations() -> None:
    plain, varied = load(), load(permute="cyclic")
    assert len({instance.id for instance in varied}) == len(varied) == 4 * len(plain)
    for place, instance in enumerate(plain):
        question = instance.problem
        right = question.options[question.answer]
        variants = varied[4 * place : 4 * place + 4]
        assert [v.problem.options[v.problem.answer] for v in variants] == [right] * 4
        assert sorted(v.problem.letter for v in variants) == list(LETTERS)
        assert len({v.problem.options for v in variants}) == 4
        assert {v.cluster for v in variants} == {instance.cluster}
        for variant in variants:
            BENCHMARK.verify(variant)
            order = variant.problem.order
            assert variant.problem.options == tuple(question.options[i] for i in order)


def test_random_asks_every_question_once_in_an_order_of_its_own() -> None:
    plain, varied = load(), load(permute="random")
    assert [instance.id for instance in varied] == [instance.id for instance in plain]
    for before, after in zip(plain, varied, strict=True):
        BENCHMARK.verify(after)
        assert sorted(after.problem.options) == sorted(before.problem.options)
        right = before.problem.options[before.problem.answer]
        assert after.problem.options[after.problem.answer] == right
    orders = [instance.problem.order for instance in varied]
    assert len(set(orders)) > 10
    assert orders == [instance.problem.order for instance in load(permute="random")]
    assert orders != [instance.problem.order for instance in load(permute="random", seed=1)]


def test_all_triggers_ask_every_question_five_times() -> None:
    varied = load(prompt="cot", trigger="all", permute="cyclic")
    assert len({instance.id for instance in varied}) == len(varied) == 20 * len(load())
    assert [i.labels["trigger"] for i in varied[:5]] == list(TRIGGERS.values())
    assert [i.problem.trigger for i in varied[:5]] == list(TRIGGERS.values())


def test_the_answer_key_is_of_the_options_text_not_of_its_place() -> None:
    rotations = load(permute="cyclic")[:4]
    assert all(rotation.certificate == rotations[0].certificate for rotation in rotations)
    assert len({rotation.content_hash for rotation in rotations}) == 4


def tampered(instance: Instance[Question]) -> list[Instance[Question]]:
    question = instance.problem
    others = (question.options[0] + "!", *question.options[1:])
    wrong_key = Certificate("answer-key", {**instance.certificate.data, "answer": "another"})
    problems = [
        replace(question, answer=(question.answer + 1) % 4),
        replace(question, context=question.context + " "),
        replace(question, question=question.question.strip() + "??"),
        replace(question, options=others),
        replace(question, options=question.options[:3]),
        replace(question, options=(*question.options, "Something else")),
        replace(question, answer=4),
        replace(question, answer=-1),
    ]
    return [
        replace(instance, certificate=wrong_key),
        *(replace(instance, problem=problem) for problem in problems),
    ]


def test_verify_refuses_every_kind_of_tampering() -> None:
    for instance in load()[:11]:
        BENCHMARK.verify(instance)
        for changed in tampered(instance):
            with pytest.raises(DataError, match=instance.id):
                BENCHMARK.verify(changed)


@pytest.mark.parametrize("settings", [{}, {"prompt": "cot"}], ids=str)
def test_steps_out_of_turn_are_refused(settings: dict[str, object]) -> None:
    environment = BENCHMARK.environment(SHIPPED.model_copy(update=settings), 0)
    with pytest.raises(BenchmarkError, match="before reset"):
        environment.step("A")
    environment.reset(load(**settings)[0], 0)
    while environment.step("A").observation is not None:
        pass
    with pytest.raises(BenchmarkError, match="after the episode's end"):
        environment.step("A")


def test_the_reward_follows_the_headline_rule() -> None:
    (instance, *_) = load()
    letter = instance.problem.letter
    for mode, rewards in {"completion": (1.0, 0.0), "chat": (1.0, 1.0)}.items():
        environment = BENCHMARK.environment(SHIPPED.model_copy(update={"mode": mode}), 0)
        for reply, reward in zip((letter, f"The answer is ({letter})."), rewards, strict=True):
            environment.reset(instance, 0)
            step = environment.step(reply)
            assert (step.reward, step.terminated, step.truncated) == (reward, True, False)


PUBLISHED = OrqaOptions()


@pytest.mark.data
def test_the_published_data_have_the_published_counts() -> None:
    published_folder()
    instances = BENCHMARK.load(PUBLISHED, 0)
    assert len(instances) == 1468
    assert len(BENCHMARK.load(OrqaOptions(split="validation"), 0)) == 45
    assert len({instance.cluster for instance in instances}) == 142
    assert Counter(i.problem.letter for i in instances) == {"A": 383, "B": 365, "C": 344, "D": 376}
    types = Counter(instance.labels["type"] for instance in instances)
    counts = (107, 132, 135, 138, 164, 157, 35, 163, 178, 126, 133)
    assert types == {f"Q{i}": count for i, count in enumerate(counts, 1)}
    assert sum(len(set(i.problem.options)) < 4 for i in instances) == 7
    for instance in instances:
        BENCHMARK.verify(instance)


@pytest.mark.data
@pytest.mark.parametrize(("policy", "right"), [("gold", 1468), ("noop", 0), ("majority", 383)])
def test_baselines_score_exactly_what_they_must(policy: str, right: int) -> None:
    published_folder()
    records = played(BENCHMARK, policy, PUBLISHED)
    figures = BENCHMARK.metrics(records, "published")
    assert figures["accuracy"].value == pytest.approx(right / 1468, abs=1e-12)
    assert (figures["accuracy"].n, figures["accuracy"].clusters) == (1468, 142)
    for name, count in [("A. problem specification", 512), ("B. entities", 356)]:
        assert figures[f"accuracy/{name}"].n == count


@pytest.mark.data
def test_random_scores_chance() -> None:
    published_folder()
    accuracy = BENCHMARK.metrics(played(BENCHMARK, "random", PUBLISHED), "published")["accuracy"]
    assert accuracy.low < 0.25 < accuracy.high


def test_the_random_policy_says_other_letters_in_every_epoch() -> None:
    records = played(BENCHMARK, "random", SHIPPED, epochs=20)
    said: dict[str, set[str]] = {}
    for record in records:
        said.setdefault(record.id, set()).add(record.episode.last_reply)
    assert all(len(letters) >= 3 for letters in said.values())
    estimate = mean_interval([float(r.verdicts["published"].score or 0) for r in records])
    assert estimate.low < 0.25 < estimate.high


def test_chain_of_thought_is_two_turns_and_scored_by_the_second() -> None:
    (record, *_) = played(BENCHMARK, "gold", SHIPPED.model_copy(update={"prompt": "cot"}), limit=1)
    assert len(record.episode.turns) == 2
    assert record.episode.turns[0].reply == ""
    assert record.verdicts["published"].score == record.episode.reward == 1.0
