import json
from pathlib import Path
from typing import Any

import pytest

from ordojo.benchmarks.or_debug.teaching import Brief
from ordojo.core.environment import Message
from ordojo.core.errors import DataError, UsageError
from ordojo.evaluation.compact import compact, focused, full
from ordojo.training.models import session
from ordojo.training.models.loading import TinyConfig, make_tokenizer
from ordojo.training.models.session import MetricsLog, begin, read_metrics
from ordojo.training.sft import (
    SftConfig,
    demonstrate,
    fitting,
    messages_of,
    read_records,
    rendered,
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
    (short, _) = rendered(records, compact)
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
    kept, left_out = fitting(rendered([TALK, long], compact), tokenizer, 60)
    assert len(kept) == 1 and left_out == 1
    with pytest.raises(DataError, match="none of the 1 records fits"):
        fitting(rendered([long], compact), tokenizer, 60)


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
    for (asked, reply), record in zip(rendered(records, focused), records, strict=True):
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
