"""The tiny model learns: SFT, then GRPO, on generated instances; kills change nothing."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("trl", reason="needs trl: pip install 'ordojo[train]'")


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
    assert sft >= before + 0.30
    assert grpo >= min(sft + 0.05, 0.95)
    assert found["grpo"]["rational"] >= 0.9
    rewards = found["rewards"]
    quarter = len(rewards) // 4
    assert sum(rewards[-quarter:]) / quarter > sum(rewards[:quarter]) / quarter + 5


@pytest.mark.parametrize("stage", ["teach", "reinforce"])
def test_killed_and_resumed_it_ends_with_the_same_weights(
    found: dict[str, Any], stage: str
) -> None:
    run = found["kills"][stage]
    assert run["resumed"] == run["whole"] != found["start"]
    assert run["steps"] == list(range(1, len(run["steps"]) + 1))
    assert "going on from step" in run["heard"][0]
