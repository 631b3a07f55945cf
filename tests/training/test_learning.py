"""Tiny models learn: SFT, then GRPO, on generated instances; kills change nothing; a PRM."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests import needs

pytestmark = needs("trl", "train")


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.training.learning", str(tmp_path_factory.mktemp("learning"))],
        capture_output=True,
        text=True,
        timeout=1800,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 0, done.stderr[-3000:]
    figures: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return figures


def test_sft_then_grpo_repair_more(found: dict[str, Any]) -> None:
    before, sft, grpo = (found[stage]["rr@5"] for stage in ("before", "sft", "grpo"))
    assert sft >= before + 0.20
    assert grpo >= min(sft + 0.05, 0.95)
    assert found["grpo"]["rational"] >= 0.9
    rewards = found["rewards"]
    quarter = len(rewards) // 4
    assert sum(rewards[-quarter:]) / quarter > sum(rewards[:quarter]) / quarter + 5


@pytest.mark.parametrize(("stage", "every"), [("teach", 4), ("reinforce", 2)])
def test_stopped_killed_and_resumed_it_ends_with_the_same_weights(
    found: dict[str, Any], stage: str, every: int
) -> None:
    run = found["kills"][stage]
    assert run["killed"] == run["whole"] != found["start"]
    assert run["killed log"] == run["whole log"]
    assert run["codes"] == [0, 130, -signal.SIGKILL, 0]
    said = [line for line in run["heard"] if line.startswith(("stopped", "going on"))]
    stopped = said.pop(0)
    assert stopped.startswith("stopped; on disk: ")
    assert stopped.endswith(f"/checkpoint-{every}; started again, it goes on from it")
    assert said == [
        f"going on from step {every}",
        f"going on from step {2 * every}",
    ]
    assert not any("Aborted" in line or "Traceback" in line for line in run["heard"])


def test_its_gguf_file_answers_alike(found: dict[str, Any]) -> None:
    if found["gguf"] is None:
        pytest.skip("needs xllamacpp: pip install 'ordojo[embedded]'")
    folder, file = found["gguf"]
    assert file == folder and all(text.startswith("Action: ") for text in folder)


def test_a_process_reward_model_tells_good_steps_from_bad(found: dict[str, Any]) -> None:
    prm = found["prm"]
    assert prm["held_out"]["auc"] >= 0.9
    assert prm["held_out"]["mean_productive"] > prm["held_out"]["mean_other"] + 0.2
    assert len(prm["looks"]) >= 3
    best = max(auc for _, auc in prm["looks"])
    step = [step for step, auc in prm["looks"] if auc == best][-1]
    assert prm["selection"] == {"step": step, "auc": pytest.approx(best, rel=1e-6)}
    assert prm["chosen"] == 30 and prm["best"] > prm["attempts"]
