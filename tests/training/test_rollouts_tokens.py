from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ordojo.core.errors import DataError, UsageError
from ordojo.core.trajectory import Trajectory, tokens_of
from ordojo.training.models.policy import ModelSource, local_model
from ordojo.training.rollouts.files import read_trajectories
from ordojo.training.rollouts.rollout import record, rollout
from ordojo.training.rollouts.work import Sampling, Work, plan
from tests import needs
from tests.training.rollout_toys import debugging

pytestmark = needs("torch", "train")


@pytest.fixture(scope="module")
def model() -> Iterator[Any]:
    import torch

    from ordojo.evaluation.compact import rendering
    from ordojo.training.models.loading import Loaded, TinyConfig, make_tiny
    from ordojo.training.models.policy import ModelPolicy

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    texts = [instance.problem.text for instance in debugging(4)]
    tiny, tokenizer = make_tiny(texts, TinyConfig(hidden=32, intermediate=64, context=180))
    yield ModelPolicy(Loaded(tiny, tokenizer, "tiny"), rendering("compact"))
    torch.set_num_threads(threads)


def work_of(policy: Any, steps: int = 3, **fields: Any) -> Work:
    return plan(
        "or-debug",
        policy,
        instances=debugging(3),
        samples=2,
        options={"max_steps": steps, **fields.pop("options", {})},
        sampling=Sampling(**{"temperature": 0.7, "max_tokens": 12, "batch": 4, **fields}),
    )


@pytest.fixture(scope="module")
def played(model: Any) -> list[Trajectory]:
    return list(rollout(work_of(model)))


def test_every_logprob_is_the_models_for_that_token(model: Any, played: list[Trajectory]) -> None:
    import torch

    for trajectory in played:
        (chat,) = trajectory.conversations()
        tokens = tokens_of(chat)
        with torch.no_grad():
            logits = model.loaded.model(torch.tensor([tokens.ids])).logits[0] / 0.7
        odds = torch.log_softmax(logits, dim=-1)
        own = [i for i, mine in enumerate(tokens.mask) if mine]
        assert own and own[0] == tokens.prompt_length
        for i in own:
            assert tokens.logprobs[i] == pytest.approx(odds[i - 1, tokens.ids[i]].item(), abs=1e-3)
        assert all(tokens.logprobs[i] == 0 for i in range(len(tokens.ids)) if i not in set(own))


def test_it_is_the_same_again_and_out_of_a_file(
    model: Any, played: list[Trajectory], tmp_path: Path
) -> None:
    work = work_of(model)
    assert list(rollout(work)) == played
    path = tmp_path / "tokens.jsonl"
    record(work, path)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    record(work, path)
    assert path.read_bytes() == data
    assert [one.turns for one in read_trajectories(path)] == [one.turns for one in played]


def test_samples_of_one_instance_differ(played: list[Trajectory]) -> None:
    assert played[0].id == played[1].id
    assert played[0].turns[0].reply != played[1].turns[0].reply


def test_greedy_samples_are_equal(model: Any) -> None:
    found = list(rollout(work_of(model, steps=1, temperature=0.0)))
    assert found[0].turns == found[1].turns


def test_greedily_a_prompt_is_asked_once_and_a_sample_each_time(
    model: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    complete = model.complete
    monkeypatch.setattr(
        model,
        "complete",
        lambda ids, *args, **how: asked.append(len(ids)) or complete(ids, *args, **how),
    )
    shown = {"options": {"history": "state"}, "steps": 2}
    drawn = list(rollout(work_of(model, **shown)))
    assert sum(asked) == sum(len(one.turns) for one in drawn)
    asked.clear()
    greedy = list(rollout(work_of(model, temperature=0.0, **shown)))
    states = {tuple(turn.tokens.prompt) for one in greedy for turn in one.turns if turn.tokens}
    assert sum(asked) == len(states) < sum(len(one.turns) for one in greedy)


def test_a_full_context_goes_on_in_silence(model: Any) -> None:
    for trajectory in rollout(work_of(model, steps=9, max_tokens=40)):
        (chat,) = trajectory.conversations()
        assert len(tokens_of(chat).ids) <= model.context
        assert len(trajectory.turns) == 9
        last = trajectory.turns[-1]
        assert last.reply == "" and last.tokens is not None and not last.tokens.prompt
        assert last.info["cut"] is True


def test_a_turn_is_cut_where_it_has_no_room_left(model: Any, played: list[Trajectory]) -> None:
    stops = model.loaded.stops
    for turn in (turn for one in played for turn in one.turns):
        assert turn.tokens is not None
        assert ("cut" in turn.info) == turn.cut == (turn.tokens.completion[-1] not in stops)
        assert len(turn.tokens.completion) == 12 or "cut" not in turn.info


def test_what_a_model_cannot_be_asked_is_said(model: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model, "context", 20)
    with pytest.raises(UsageError, match=r"prompt of eval-A-00000 has \d+ tokens, and tiny reads"):
        list(rollout(work_of(model)))
    work = plan("orqa", model, options={"dataset": "orqa@ordojo", "mode": "logprob"}, limit=1)
    with pytest.raises(UsageError, match="asks for the likeliest choice"):
        list(rollout(work))


def test_other_weights_under_one_path_do_not_go_on(model: Any, tmp_path: Path) -> None:
    from ordojo.training.models.loading import save_model

    folder, path = tmp_path / "model", tmp_path / "some.jsonl"
    save_model(model.loaded.model, model.loaded.tokenizer, folder, "compact")
    loader = local_model(ModelSource(str(folder), device="cpu"))
    record(work_of(loader), path)
    found = [one.turns for one in read_trajectories(path)]
    assert found == [one.turns for one in rollout(work_of(model))]
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1] + b"\x01")
    with pytest.raises(DataError, match="another sampling"):
        record(work_of(local_model(ModelSource(str(folder), device="cpu"))), path)
