import json
from pathlib import Path
from typing import Any

import pytest

from ordojo.benchmarks.or_debug.teaching import Brief
from ordojo.core.environment import Message
from ordojo.core.errors import DataError, UsageError
from ordojo.evaluation.compact import full, rendering
from ordojo.training import sft
from ordojo.training.models import session
from ordojo.training.models.loading import TinyConfig, make_tiny, make_tokenizer
from ordojo.training.models.session import MetricsLog, begin, read_metrics
from ordojo.training.sft import (
    SftConfig,
    demonstrate,
    fitting,
    messages_of,
    read_records,
    rendered,
    with_lora,
)
from tests import needs
from tests.training.rollout_toys import debugging, problems

pytestmark = needs("torch", "train")


TALK = {
    "messages": [
        {"role": "system", "content": "Rules."},
        {"role": "user", "content": "Hello. It costs 5 a piece."},
        {"role": "assistant", "content": "Good."},
    ]
}


def test_the_defaults_are_table_28() -> None:
    config = SftConfig()
    assert (config.lora_rank, config.lora_alpha, config.epochs) == (16, 32, 3)
    assert (config.batch_size, config.accumulation, config.learning_rate) == (4, 4, 2e-5)
    assert (config.scheduler, config.warmup, config.max_length) == ("cosine", 0.03, 4096)
    assert (config.weight_decay, config.adam_betas) == (0.01, (0.9, 0.999))


@pytest.mark.parametrize(("steps", "warmup"), [(1, 0.0), (33, 0.0), (34, 0.03), (None, 0.03)])
def test_a_short_run_learns_from_its_first_step_on(
    tmp_path: Path, steps: int | None, warmup: float
) -> None:
    arguments = session.shared_arguments(SftConfig(steps=steps), tmp_path)
    assert arguments["warmup_steps"] == warmup


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"epoch": 3}, "no option 'epoch'"),
        ({"batch_size": 0}, "batch_size=0: give a whole number from 1 to"),
        ({"method": "qlora"}, "give one of lora, full"),
        ({"model": "tiny"}, "must be full for the tiny model"),
        ({"model": "tiny", "method": "full"}, "must not exceed tiny.context"),
        ({"batch_size": "many"}, "batch_size='many': give a whole number from"),
        ({"batch_size": True}, "batch_size=True: give a whole number"),
        ({"learning_rate": "fast"}, "give a number"),
        ({"adam_betas": [0.9]}, "adam_betas"),
        ({"tiny": {"width": 3}}, "tiny.width=3"),
        ({"rendering": "short"}, "give one of full, compact, focused"),
    ],
)
def test_impossible_settings_are_a_sentence(settings: dict[str, Any], reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        SftConfig.from_json(settings)


def test_settings_go_to_json_and_back() -> None:
    config = SftConfig(model="tiny", method="full", max_length=512, tiny=TinyConfig(layers=3))
    assert SftConfig.from_json(json.loads(json.dumps(config.to_json()))) == config
    assert SftConfig.from_json({"learning_rate": "2e-5", "epochs": 2}).learning_rate == 2e-5


def test_records_of_both_forms_are_read(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    paper = {"instruction": "Debug.", "input": "Status: INFEASIBLE", "output": "Action: X"}
    path.write_text("\n".join(json.dumps(row) for row in (TALK, paper)) + "\n")
    records = read_records(path)
    assert messages_of(records[1], "here") == [
        Message("user", "Debug.\nStatus: INFEASIBLE"),
        Message("assistant", "Action: X"),
    ]
    (short, _) = rendered(records, rendering("compact"))
    assert [turn["content"] for turn in short] == ["It costs 5 a piece.", "Good."]
    assert len(rendered(records, full)[0]) == 3


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", ":1 is not a whole JSON object"),
        ("3", "must be a JSON object"),
        ('{"messages": []}', "ends with the assistant's"),
        ('{"messages": [{"role": "user", "content": "x"}]}', "ends with the assistant's"),
        ('{"prompt": "x", "completion": "y"}', "mode=chat"),
        ('{"instruction": 3, "output": "y"}', "must be texts"),
        ("", "holds no records"),
    ],
)
def test_records_that_are_none_are_refused(tmp_path: Path, line: str, reason: str) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text(line + "\n")
    with pytest.raises(DataError, match=reason):
        read_records(path)
    with pytest.raises(DataError, match="cannot be read"):
        read_records(tmp_path / "none")


def test_a_record_that_is_too_long_is_left_out() -> None:
    tokenizer = make_tokenizer(["Good It costs a piece"], TinyConfig())
    long = {"messages": [{"role": "user", "content": "It " * 99}, TALK["messages"][2]]}
    kept, left_out = fitting(rendered([TALK, long], rendering("compact")), tokenizer, 60)
    assert len(kept) == 1 and left_out == 1
    with pytest.raises(DataError, match="none of the 1 records fits"):
        fitting(rendered([long], rendering("compact")), tokenizer, 60)


def test_brief_demonstrations_end_well() -> None:
    instances = debugging(9)
    records = demonstrate("or-debug", {"max_steps": 5}, instances)
    assert 5 <= len(records) <= 9
    for record in records:
        answers = [m["content"] for m in record["messages"] if m["role"] == "assistant"]
        assert all(answer.startswith("Action: ") and "\n" not in answer for answer in answers)
    with pytest.raises(UsageError, match="no model to repair"):
        Brief().begin(type("X", (), {"id": "x", "problem": 3})(), 0, 1)


def test_restated_demonstrations_end_well_in_what_small_models_read() -> None:
    instances = problems("train", 5, "AEFH", 4) + problems("train", 5, "CG", 2, "basic")
    options = {"max_steps": 5, "history": "state"}
    records = demonstrate("or-debug", options, instances, "restated")
    assert {record["id"].partition("/")[0] for record in records} == {one.id for one in instances}
    for (asked, reply), record in zip(
        rendered(records, rendering("focused")), records, strict=True
    ):
        assert reply["content"].startswith(("Action: REWRITE(", "Action: DROP("))
        assert len(asked["content"]) < len(record["messages"][1]["content"]) / 2
        assert asked["content"].startswith("INFEASIBLE\n")
        # What is to be rewritten is shown, and a value to be put back is read in the description.
        target = reply["content"].partition("(")[2].partition(",")[0].partition(".")[0]
        assert target.rstrip(")") in asked["content"]


def test_the_log_goes_back_to_the_checkpoint(tmp_path: Path) -> None:
    log = MetricsLog(tmp_path, ["loss", "kl"])
    log.rewind(0)
    for step in (1, 2, 3):
        log.add(step, {"loss": step / 2, "kl": float("nan"), "other": 1})
    log.rewind(2)
    log.add(3, {"loss": 9.0})
    rows = read_metrics(log.path)
    assert [(row["step"], row["loss"]) for row in rows] == [(1, 0.5), (2, 1.0), (3, 9.0)]
    assert all("kl" not in row and "other" not in row for row in rows)


@pytest.mark.parametrize(
    "error",
    [
        OSError(28, "No space left on device"),
        RuntimeError("[enforce fail] PytorchStreamWriter failed writing file data/3"),
    ],
)
def test_a_full_disk_is_a_sentence(tmp_path: Path, error: Exception) -> None:
    class Trainer:
        def remove_callback(self, kind: Any) -> None: ...
        def add_callback(self, callback: Any) -> None: ...

        def train(self, resume_from_checkpoint: Any) -> None:
            raise error

    with pytest.raises(DataError, match="make room and start the same run again"):
        session.train(Trainer(), tmp_path, MetricsLog(tmp_path, ["loss"]), {}, print)


def test_a_folder_holds_one_run(tmp_path: Path) -> None:
    begin(tmp_path, {"steps": 3, "betas": (0.9, 0.99)})
    begin(tmp_path, {"steps": 3, "betas": (0.9, 0.99)})
    with pytest.raises(UsageError, match="holds a run with steps=3, and steps=4 is asked for"):
        begin(tmp_path, {"steps": 4, "betas": (0.9, 0.99)})
    (tmp_path / "config.json").write_text("{")
    with pytest.raises(DataError, match="is damaged"):
        begin(tmp_path, {"steps": 3})
    with pytest.raises(DataError, match="cannot hold a run"):
        begin(tmp_path / "config.json", {"steps": 3})


def losses_of(out: Path, **changes: Any) -> list[float]:
    """The losses of three steps of the smallest model on one record, which each sees."""
    small = TinyConfig(hidden=16, layers=1, heads=2, context=64)
    config = SftConfig(
        model="tiny", method="full", tiny=small, max_length=64, batch_size=1, accumulation=1,
        steps=3, learning_rate=1e-2, scheduler="constant", weight_decay=0.0, device="cpu",
        save_every=0, **changes,
    )  # fmt: skip
    sft.run(config, out, [TALK])
    return [row["loss"] for row in read_metrics(out / session.METRICS)]


def test_a_gradient_is_cut_to_its_norm_and_the_log_goes_to_tensorboard_too(tmp_path: Path) -> None:
    free = losses_of(tmp_path / "free", tensorboard=True)
    assert free[2] < free[1] < free[0]
    held = losses_of(tmp_path / "held", max_grad_norm=1e-12)
    assert held == pytest.approx([free[0]] * 3, abs=1e-5)
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    there = EventAccumulator(str(tmp_path / "free/tensorboard")).Reload().Scalars("loss")
    assert [(event.step, event.value) for event in there] == [
        (step, pytest.approx(loss)) for step, loss in enumerate(free, 1)
    ]
    assert not (tmp_path / "held/tensorboard").exists()


def test_checkpointed_gradients_are_the_same_from_twice_the_forward_passes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    passes: list[str] = []
    start = sft.start_model

    def watched(*given: Any) -> Any:
        loaded = start(*given)
        first = next(m for name, m in loaded.model.named_modules() if name.endswith("q_proj"))
        first.register_forward_hook(lambda *_: passes.append(""))
        return loaded

    monkeypatch.setattr(sft, "start_model", watched)
    plain = losses_of(tmp_path / "plain")
    assert len(passes) == 3
    assert losses_of(tmp_path / "twice", gradient_checkpointing=True) == pytest.approx(plain)
    assert len(passes) == 3 + 6


@pytest.mark.filterwarnings("ignore:.*gradient_checkpointing.*:FutureWarning")
def test_an_adapter_drops_out_at_the_rate_that_is_asked() -> None:
    import torch

    for rate in (0.0, 0.5):
        small, tokenizer = make_tiny(["a few words"], TinyConfig(hidden=16, layers=1, heads=2), 0)
        model = with_lora(small, SftConfig(lora_rank=2, lora_dropout=rate)).train()
        for name, weights in model.named_parameters():
            if "lora_B" in name:  # it begins at zero, so that the adapter says nothing
                torch.nn.init.ones_(weights)
        tokens = tokenizer("a few words", return_tensors="pt")["input_ids"]
        one, other = (model(input_ids=tokens).logits for _ in range(2))
        assert torch.equal(one, other) == (rate == 0)
