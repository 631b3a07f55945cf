"""What `ordojo train` says when it is stopped is so: of what is on disk, and of what comes next."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests import needs

pytestmark = needs("trl", "train")

SIGNALS = {"SIGINT": 130, "SIGTERM": 143, "full disk": 2}
NAMES = [
    "data, SIGTERM",
    # After one by SIGINT: in test_learning.
    "before a checkpoint, SIGINT",
    *(f"after a checkpoint, {how}" for how in ("SIGTERM", "full disk")),
    "measuring, SIGTERM",
    "grpo, before a checkpoint, SIGTERM",
    "curriculum, second stage, SIGTERM",
]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.training.stops", str(tmp_path_factory.mktemp("stops"))],
        capture_output=True,
        text=True,
        timeout=1800,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 0, done.stderr[-3000:]
    runs: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    assert list(runs) == NAMES
    return runs


def last_word(run: dict[str, Any]) -> str:
    """The sentence on what is on disk."""
    told = [line for line in run["first"]["said"] if line.startswith(("stopped", "ended"))]
    (word,) = told
    return str(word)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_said_is_on_disk(found: dict[str, Any], name: str) -> None:
    run = found[name]
    assert run["first"]["code"] == SIGNALS[name.rpartition(", ")[2]], run["first"]["said"]
    word, between, out = last_word(run), run["between"], run["out"]
    assert f"on disk: {out}" in word and "Traceback" not in "\n".join(run["first"]["said"])
    # The data are there from the start, and are named.
    assert between["data"]
    assert all(file in word for file in between["data"])
    if between["ended"] == [out]:
        assert word.endswith("started again, it goes on with what is measured")
    elif between["sealed"]:
        newest = max(between["sealed"])
        assert word.endswith(
            f"and the last checkpoint, {newest}; started again, it goes on from it"
        )
    else:
        assert "no checkpoint; started again, it begins " in word


@pytest.mark.parametrize("name", NAMES)
def test_the_same_command_does_what_was_said(found: dict[str, Any], name: str) -> None:
    run = found[name]
    word, said = last_word(run), run["again"]["said"]
    assert run["again"]["code"] == 0 and run["same"], said
    going_on = [line for line in said if line.startswith("going on from step")]
    if "goes on from it" in word:
        assert going_on == ["going on from step 2"]
    else:
        assert going_on == []
    if "goes on with what is measured" in word:
        assert not any(line.startswith("training steps") for line in said)
        assert any(line.startswith("measuring the model") for line in said)
    if "begins stage-3 anew" in word:
        assert "stage-1 trained" in word
        steps = [line for line in said if line == "training steps: 2"]
        assert len(steps) == 1  # of the second stage alone
    if "anew" in word:
        before = "training steps: 2" if "curriculum" in name else "training steps: 4"
        assert any(line == before for line in said)  # with none done before


def test_data_that_were_made_are_not_made_again(found: dict[str, Any]) -> None:
    run = found["data, SIGTERM"]
    (rows,) = run["between"]["data"].values()
    assert rows == 3 and last_word(run).endswith("begins anew, with these data")
    making = [line for line in run["again"]["said"] if line.startswith("making problems")]
    assert making[0].endswith(": 6, 3 done before")


def test_each_stage_of_work_is_told_of(found: dict[str, Any]) -> None:
    """Data, model, steps with loss, checkpoints, episodes: with counts, and what is left."""
    said = found["before a checkpoint, SIGINT"]["again"]["said"]
    for what in (
        "training as ",
        "making the tiny model",
        "training steps: 1 of 4, about",
        "training steps: 4 of 4, checkpoint at step 4",
    ):
        assert any(line.startswith(what) for line in said), what
    said = found["measuring, SIGTERM"]["again"]["said"]
    assert "measuring the model after training" in said
    said = found["grpo, before a checkpoint, SIGTERM"]["again"]["said"]
    assert any("training steps: 1 of 4" in line and "playing episodes: " in line for line in said)
