import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pytest

import ordojo
import tests.evaluation.flaky  # noqa: F401 - registers its providers with Inspect
from ordojo.benchmarks.or_debug.policies import policies
from ordojo.core.environment import Message, Observation
from ordojo.core.errors import ProviderError, RunError, UsageError
from ordojo.core.instance import Instance
from ordojo.core.policy import Act
from ordojo.core.progress import hearing
from ordojo.core.records import RunHeader
from ordojo.core.spread import HERE, Place
from ordojo.core.trajectory import messages_of
from ordojo.evaluation.session import EvaluationSession
from ordojo.training.rollouts.files import read_trajectories
from ordojo.training.rollouts.rollout import record, rollout
from ordojo.training.rollouts.work import Prompted, Sampling, plan
from tests.heard import Heard
from tests.training.rollout_toys import Killer, debugging, small_work

TWO = Place("processes", 2)


def test_a_rollout_is_what_evaluation_plays() -> None:
    work = small_work(samples=1)
    session = EvaluationSession(work.benchmark, work.options, 3)
    for trajectory, instance in zip(rollout(work), work.instances, strict=True):
        attempt = session.begin(instance)
        act = policies()["greedy-iis"].begin(instance, 3, 1)
        while attempt.steps.observation is not None:
            attempt.steps.reply(act(attempt.steps.observation))
        expected = attempt.record(1)
        assert trajectory.episode == expected.episode
        assert trajectory.verdicts == expected.verdicts
    session.close()


def test_items_are_every_sample_of_each_instance_in_turn() -> None:
    work = small_work(count=2, samples=3)
    assert [one.item for one in rollout(work)] == [work.key(place) for place in range(6)]
    assert [key[1] for key in map(work.key, range(6))] == [1, 2, 3, 1, 2, 3]


def test_chance_differs_between_samples_and_not_between_rollouts() -> None:
    work = small_work("random", count=1, samples=2)
    first, second = rollout(work)
    assert first.turns != second.turns
    assert [first, second] == list(rollout(work))


@pytest.mark.parametrize("share", [0.0, 0.3, 0.99])
def test_stopped_anywhere_it_goes_on_to_the_same_bytes(tmp_path: Path, share: float) -> None:
    work = small_work()
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    assert record(work, whole).episodes == 12
    data = whole.read_bytes()
    cut.write_bytes(data[: int(len(data) * share)])
    heard = Heard()
    with hearing(heard):
        record(work, cut)
    assert cut.read_bytes() == data
    assert heard.ends[-1].before + heard.ends[-1].done == 12
    record(work, cut)
    assert cut.read_bytes() == data


def test_a_killed_worker_changes_no_byte(tmp_path: Path) -> None:
    alone, two, deaths = tmp_path / "alone.jsonl", tmp_path / "two.jsonl", tmp_path / "deaths"
    deaths.mkdir()
    record(small_work(Killer("nobody", deaths)), alone)
    work = small_work(Killer(debugging(6)[3].id, deaths))
    record(work, two, TWO)
    assert len(list(deaths.iterdir())) == 1
    assert two.read_bytes() == alone.read_bytes()
    assert [one.item for one in read_trajectories(two)] == [work.key(i) for i in range(12)]


def test_workers_that_die_again_and_again_are_an_error(tmp_path: Path) -> None:
    deaths, path = tmp_path / "deaths", tmp_path / "some.jsonl"
    deaths.mkdir()
    work = small_work(Killer(debugging(6)[3].id, deaths, left=9))
    with pytest.raises(RunError, match="2 workers died over item 3 of 4"):
        record(work, path, TWO)
    assert [one.item for one in read_trajectories(path)] == [work.key(i) for i in range(6)]


@dataclass(frozen=True)
class Odd:
    """Says what no file of text takes lightly."""

    def begin(self, instance: Instance[Any], seed: int, epoch: int) -> Act:
        return lambda asked: "\ud800 \u2028 \x85 \r\n Action: SUBMIT()"


def test_any_text_comes_back_from_a_file(tmp_path: Path) -> None:
    work = small_work(Odd(), count=1)
    record(work, tmp_path / "odd.jsonl")
    assert list(read_trajectories(tmp_path / "odd.jsonl")) == list(rollout(work))


def test_conversations_follow_the_history() -> None:
    work = small_work(samples=1)
    for trajectory in rollout(work):
        (chat,) = trajectory.conversations()
        assert [m.role for m in messages_of(chat)][-2:] == ["user", "assistant"]
    state = plan("or-debug", "greedy-iis", instances=work.instances, options={"history": "state"})
    for trajectory in rollout(state):
        assert len(list(trajectory.conversations())) == len(trajectory.turns)


def test_a_callable_reads_the_whole_conversation() -> None:
    seen: list[tuple[str, int, float, int]] = []

    def generate(prompt: str, *, max_tokens: int = 9, temperature: float = 1, seed: int = 9) -> str:
        seen.append((prompt, max_tokens, temperature, seed))
        return "Action: GET_IIS()" if len(seen) == 1 else "Action: SUBMIT()"

    (trajectory,) = rollout(small_work(Prompted(generate, max_tokens=77), count=1, samples=1))
    assert [turn.info["action"] for turn in trajectory.turns] == ["GET_IIS", "SUBMIT"]
    assert seen[0][0].startswith("System: ") and seen[0][0].endswith("\n\nAssistant:")
    assert "Assistant: Action: GET_IIS()\n\nUser: These cannot hold" in seen[1][0]
    assert {one[1:] for one in seen} == {(77, 0.0, 4)}
    asked = Observation((Message("user", "raw"),), style="completion")
    Prompted(generate).begin(debugging(1)[0], 0, 1)(asked)
    assert seen[-1][0] == "raw"


def test_any_function_from_a_prompt_to_a_text_is_a_policy() -> None:
    def short(prompt: str, max_tokens: int) -> str:
        return f"Action: {'SUBMIT()' if max_tokens == 5 else 'GET_IIS()'}"

    def plain(prompt):  # type: ignore[no-untyped-def]
        return "Action: SUBMIT()"

    for function in (plain, lambda text: plain(text), short, "Action: SUBMIT(){:.0}".format):
        (one,) = rollout(small_work(Prompted(function, max_tokens=5), count=1, samples=1))
        assert [turn.info["action"] for turn in one.turns] == ["SUBMIT"]


def test_a_model_behind_inspect_is_asked_and_resumed(tmp_path: Path) -> None:
    path = tmp_path / "asked.jsonl"
    work = plan(
        "or-debug",
        "flaky/steady",
        instances=debugging(3),
        options={"max_steps": 2},
        sampling=Sampling(temperature=0.5, max_tokens=20),
    )
    assert record(work, path).episodes == 3
    found = {one.item: one for one in read_trajectories(path)}
    assert len(found) == 3
    for trajectory in found.values():
        assert [turn.reply for turn in trajectory.turns] == ["C", "C"]
        assert not trajectory.turns[1].fresh and trajectory.episode.truncated
    assert found[work.key(0)].provenance.generation == {
        "temperature": 0.5,
        "top_p": 1.0,
        "max_tokens": 20,
        "batch": 16,
    }
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + lines[2])
    record(work, path)
    assert {one.item: one for one in read_trajectories(path)} == found


def test_what_a_model_does_not_answer_is_left_to_the_next_call(tmp_path: Path) -> None:
    path = tmp_path / "asked.jsonl"
    work = plan("or-debug", "flaky/broken", instances=debugging(9), options={"max_steps": 1})
    first = record(work, path)
    assert 0 < first.episodes < 9 and len(first.errors) == 9 - first.episodes
    assert "hung up" in first.errors[0]
    with pytest.raises(ProviderError, match=r"none of the . episodes could be played"):
        record(work, path)
    assert len(list(read_trajectories(path))) == first.episodes


def test_provenance_has_what_decides_and_no_time() -> None:
    work = small_work()
    row = json.loads(json.dumps(asdict(work.provenance)))
    assert row["options"]["max_steps"] == 50 and row["items"] == work.size
    assert row["dataset"]["id"] == "or-debug@given" and row["model"] == "toy"
    assert row["created"] == "" and row["software"] == {"ordojo": ordojo.__version__}
    assert RunHeader.from_json(row) == work.provenance


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"samples": 0}, "at least 1 sample"),
        ({"instances": []}, "no instances"),
        ({"instances": [*debugging(1), *debugging(1)]}, "the same id"),
        ({"options": {"histori": "state"}}, "did you mean 'history'"),
    ],
)
def test_what_cannot_be_played_is_said(fields: dict[str, Any], sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        plan("or-debug", "gold", **{"instances": debugging(1), **fields})


def test_an_unknown_policy_and_an_unsendable_one_are_said(tmp_path: Path) -> None:
    for place in (HERE, TWO):
        with pytest.raises(UsageError, match="'ordojo/golden' for or-debug; there is ordojo/gold"):
            record(small_work("golden"), tmp_path / "golden.jsonl", place)
    unsendable = Prompted(lambda prompt, **rest: "")
    with pytest.raises(UsageError, match="cannot be sent to other processes"):
        record(small_work(unsendable), tmp_path / "unsendable.jsonl", TWO)
    with pytest.raises(UsageError, match="top_p"):
        Sampling(top_p=0)
    with pytest.raises(UsageError, match="at least one worker"):
        Place("processes", 0)
