import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ordojo.benchmarks.or_bias.teaching import Newsvendor
from ordojo.benchmarks.or_debug.teaching import EQUATION_4, Debugger
from ordojo.core.errors import DataError, UsageError
from ordojo.core.journal import read_rows
from ordojo.core.registry import get_benchmark
from ordojo.core.teaching import Criterion
from ordojo.core.trajectory import Trajectory
from ordojo.evaluation.session import Answer
from ordojo.training.rollouts.rollout import Player, rollout
from ordojo.training.rollouts.work import plan
from ordojo.training.teacher.collect import (
    Acceptance,
    Teacher,
    collect,
    question_records,
    read_collected,
)
from ordojo.training.teacher.collect import refusal as refused
from ordojo.training.teacher.formats import (
    grpo_records,
    paper_sft_records,
    sft_records,
    write_records,
)
from tests.training.rollout_toys import debugging

INSTANCES = debugging(9)
QUESTIONS = {"dataset": "econlogicqa@ordojo", "split": "train"}


def expert(name: str, benchmark: str = "or-debug") -> Any:
    return get_benchmark(benchmark).teaching().teacher(name)


def paper_grpo_record(instance: Any) -> Any:
    return get_benchmark(instance.benchmark).teaching().paper_record(instance)


def played(policy: Any, **options: Any) -> list[Trajectory]:
    return list(rollout(plan("or-debug", policy, instances=INSTANCES, options=options)))


@pytest.fixture(scope="module")
def taught() -> list[Trajectory]:
    return played(expert("expert-gold-GET_IIS-CHECK_SLACK"))


def test_the_gold_expert_solves_every_type_and_says_why(taught: list[Trajectory]) -> None:
    assert {one.labels["type"] for one in taught} == set("ABCDEFGHI")
    assert not any(refused(one) for one in taught)
    for one in taught:
        texts = [turn.reply for turn in one.turns]
        assert [turn.info["action"] for turn in one.turns[:2]] == ["GET_IIS", "CHECK_SLACK"]
        repair = texts[2]
        assert repair.startswith("<think>\n") and "\n</think>\nDiagnosis: " in repair
        reasons = repair.partition("</think>")[0]
        assert "By the description" in reasons or "Nothing in the description" in reasons
        named = one.turns[2].info["diagnosis"]
        assert isinstance(named, list) and all(name in repair for name in named)


@pytest.mark.parametrize("base", ["elastic", "greedy-iis"])
def test_reasons_change_no_action_of_the_policy_below(base: str) -> None:
    bare, aloud = played(base), played(Debugger(base, think=False))
    for one, other in zip(bare, aloud, strict=True):
        assert [t.info for t in one.turns] == [t.info for t in other.turns]
        repairs = [t for t in other.turns if t.info["action"] in ("RELAX", "DROP")]
        assert all(len(t.reply.splitlines()) > 2 for t in repairs[:1])


def test_experts_have_names() -> None:
    for name in ("expert-gold", "expert-greedy-iis-GET_IIS-plain"):
        assert expert(name).name == name
    assert expert("expert-newsvendor", "or-bias").name == "expert-newsvendor"
    with pytest.raises(UsageError, match="orqa has no teacher 'expert-gold'"):
        expert("expert-gold", "orqa")
    with pytest.raises(UsageError, match="no scripted policy 'golden'"):
        expert("expert-golden")
    with pytest.raises(UsageError, match="'DROP' is no diagnostic action"):
        Debugger(looks=("DROP",))


def with_measures(one: Trajectory, score: float = 1.0, **metrics: float) -> Trajectory:
    headline = replace(one.headline, metrics={**one.headline.metrics, **metrics})
    full = replace(one.verdicts["full"], score=score)
    return replace(one, verdicts={**one.verdicts, headline.rule: headline, "full": full})


@pytest.mark.parametrize(
    ("score", "steps", "accuracy", "refusal"),
    [
        (1.0, 5.0, 0.5, ""),
        (0.0, 1.0, 1.0, "no success"),
        (1.0, 6.0, 1.0, "more than 5 steps"),
        (1.0, 5.0, 0.49, "diagnostic accuracy below 0.5"),
    ],
)
def test_equation_4(
    taught: list[Trajectory], score: float, steps: float, accuracy: float, refusal: str
) -> None:
    one = with_measures(taught[0], score, steps=steps, da=accuracy)
    assert EQUATION_4.refusal(one) == refusal
    assert refused(one) == refusal
    assert not Criterion("rr@1").refusal(one)


def test_acceptance_is_counted(taught: list[Trajectory]) -> None:
    tally = Acceptance()
    mixed = [
        with_measures(taught[0], steps=1.0, da=0.5),
        with_measures(taught[1], steps=4.0, da=1.0),
        with_measures(taught[2], steps=9.0),
        with_measures(taught[3], score=0.0),
    ]
    assert list(tally.filter(mixed)) == mixed[:2]
    assert (tally.rate, tally.means) == (0.5, {"steps": 2.5, "da": 0.75})
    lines = list(tally.lines())
    assert lines[0] == "accepted: 2 of 4 (50.0%) [696 of 1,247, 55.8%]"
    assert "  refused for no success: 1" in lines
    assert lines[-2:] == ["mean steps: 2.50 [2.3]", "mean diagnostic accuracy: 75.0% [68%]"]
    # What a paper states of one benchmark is told of no other.
    other = Acceptance()
    assert all(map(other.add, rollout(plan("orqa", "gold", options={"dataset": "orqa@ordojo"}))))
    assert list(other.lines()) == ["accepted: 44 of 44 (100.0%)", "  ordojo/gold: 44 of 44"]


def test_teachers_share_the_instances(tmp_path: Path) -> None:
    teachers = [Teacher("expert-gold", 0.7), Teacher("random", 0.2), Teacher("noop", 0.1)]

    def run() -> tuple[list[Trajectory], list[bytes]]:
        files = collect(
            "or-debug", teachers, tmp_path, instances=INSTANCES, options={"max_steps": 3}
        )
        return list(read_collected(files)), [file.path.read_bytes() for file in files]

    found, data = run()
    assert sorted(one.id for one in found) == sorted(one.id for one in INSTANCES)
    assert sum(one.provenance.model == "expert-gold" for one in found) == 6
    assert run() == (found, data)
    alone, others = (
        collect("or-debug", [Teacher("noop"), Teacher("random")], tmp_path / name, limit=6, seed=k)
        for k, name in ((0, "one"), (7, "two"))
    )
    for files in (alone, others):
        assert len([*read_collected(files)]) == 6
    drawn = [{one.id for one in read_collected(files[:1])} for files in (alone, others)]
    assert drawn[0] != drawn[1]
    with pytest.raises(UsageError, match="share above 0"):
        collect("or-debug", [Teacher("gold", 0)], tmp_path, instances=INSTANCES)


def test_a_record_replayed_solves_its_instance(taught: list[Trajectory]) -> None:
    records = list(sft_records([*taught, *taught]))
    assert len(records) == len(INSTANCES)
    by_id = {one.id: one for one in INSTANCES}
    with Player(plan("or-debug", "gold", instances=INSTANCES)) as player:
        for record in records:
            chat = record["messages"]
            assert [m["role"] for m in chat[:3]] == ["system", "user", "assistant"]
            replies = [Answer(m["content"]) for m in chat if m["role"] == "assistant"]
            name = record["id"].split("/")[0]
            assert player.replay((by_id[name], 1), replies).headline.score == 1.0


def test_each_turn_is_a_record_where_the_state_is_told_anew() -> None:
    found = played("greedy-iis", history="state")
    records = list(sft_records(found))
    assert len(records) == sum(len(one.turns) for one in found)
    assert {len(record["messages"]) for record in records} == {3}


def test_silence_is_not_taught() -> None:
    assert list(sft_records(played("noop", max_steps=2))) == []


def test_the_papers_forms(taught: list[Trajectory]) -> None:
    problem = INSTANCES[0].problem
    first, second = list(paper_sft_records(taught[:1]))[:2]
    shown = ", ".join(f"'{name}'" for name in problem.iis_rows)
    state = f"Problem: {INSTANCES[0].id}\nStatus: INFEASIBLE\nIIS: [{shown}]"
    assert first["input"] == second["input"] == state
    assert first["output"].endswith("Action: GET_IIS()")
    record = paper_grpo_record(INSTANCES[0])
    assert record["prompt"] == f"Debug the infeasible model.\n{state}"
    assert record["ground_truth"] == {
        "key_constraint": problem.targets[0],
        "expected_fix": "; ".join(problem.fix),
    }
    with pytest.raises(DataError, match="no record in the paper's form"):
        paper_grpo_record(questions()[0])


def test_prompts_for_grpo_are_the_first_of_an_episode(taught: list[Trajectory]) -> None:
    benchmark = get_benchmark("or-debug")
    records = list(grpo_records(benchmark, benchmark.options(), INSTANCES))
    for record, one in zip(records, taught, strict=True):
        assert record["instance"] == one.id
        assert [(m["role"], m["content"]) for m in record["prompt"]] == [
            (m.role, m.content) for m in one.turns[0].messages
        ]


def test_newsvendor_records_and_their_expert() -> None:
    benchmark = get_benchmark("or-bias")
    for mode in ("chat", "completion"):
        options = benchmark.options(set="train", mode=mode)
        instances = benchmark.load(options, 0)[::60]
        work = plan(benchmark, Newsvendor(), options=options, instances=instances)
        found = list(rollout(work))
        assert not any(refused(one) for one in found)
        records = list(sft_records(found))
        assert ("messages" in records[0]) == (mode == "chat")
    record = paper_grpo_record(instances[0])
    shown = record["scenario"]
    over = shown["price"] - shown["salvage"]
    assert shown["CR"] == pytest.approx((shown["price"] - shown["cost"]) / over)
    assert record["stage"] == 1 and record["optimal_Q"] > shown["mean"] > shown["std"] > 0
    (prompt,) = grpo_records(benchmark, options, instances[:1])
    assert prompt["prompt"].endswith("Order quantity:") and prompt["ground_truth"] == record
    with pytest.raises(UsageError, match="answers newsvendor scenarios"):
        Newsvendor().begin(INSTANCES[0], 0, 1)


def questions() -> Any:
    benchmark = get_benchmark("econlogicqa")
    return benchmark.load(benchmark.options(**QUESTIONS), 0)


def test_questions_become_records() -> None:
    gold = [one.problem.answer for one in questions()]
    raw = list(question_records("econlogicqa", QUESTIONS))
    assert [record["completion"] for record in raw] == [f" {answer}" for answer in gold]
    assert all(record["prompt"].endswith("Answer:") for record in raw)
    chats = list(question_records("econlogicqa", {**QUESTIONS, "mode": "chat"}, limit=2))
    assert [record["messages"][-1]["content"] for record in chats] == gold[:2]
    orqa = list(question_records("orqa", {"dataset": "orqa@ordojo"}))
    few = {"dataset": "orqa@ordojo", "shots": 1, "mode": "chat"}
    drawn = [list(question_records("orqa", few, seed, 3)) for seed in (0, 0, 1)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert {record["completion"].strip() for record in orqa} <= set("ABCD")


def test_records_are_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "records.jsonl"
    rows = [{"prompt": "a\u2028b", "n": place} for place in range(3)]
    assert write_records(path, rows) == 3
    assert read_rows(path) == rows

    def failing() -> Any:
        yield {"n": 0}
        raise DataError("no more")

    with pytest.raises(DataError, match="no more"):
        write_records(path, failing())
    assert read_rows(path) == rows
    assert list(path.parent.iterdir()) == [path]
    path.write_bytes(path.read_bytes() + b"{torn\n")
    with pytest.raises(DataError, match=r":4 is not a JSON object"):
        read_rows(path)
    with pytest.raises(DataError, match="cannot write"):
        write_records(path / "x.jsonl", rows)


def test_every_step_of_a_worked_order_is_right() -> None:
    benchmark = get_benchmark("or-bias")
    instances = benchmark.load(benchmark.options(set="id"), 0)[:200]
    teacher = expert("expert-newsvendor-steps", "or-bias")
    work = plan(benchmark, teacher, options={"mode": "chat"}, instances=instances)
    episodes = list(rollout(work))
    for episode in episodes:
        *steps, last = episode.turns[0].reply.splitlines()
        for step in steps:
            asked, _, said = step.partition(" ")[0].partition("=")
            first, sign, second = re.fullmatch(r"(-?[\d.]+)([-+*/])([\d.]+)", asked).groups()  # type: ignore[union-attr]
            right = {
                "-": float.__sub__,
                "+": float.__add__,
                "*": float.__mul__,
                "/": float.__truediv__,
            }[sign](float(first), float(second))
            # A ratio has two digits, everything else none.
            assert abs(float(said) - right) <= (0.0051 if "z=" in step else 0.51), step
        assert last == f"Order quantity: {steps[-1].partition('=')[2]}"
    assert sum(episode.headline.score == 1.0 for episode in episodes) >= 180
