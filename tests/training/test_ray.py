import subprocess
import sys
from pathlib import Path

import pytest

from ordojo.training.rollouts.rollout import record
from tests.training.rollout_toys import Killer, small_work


def test_two_ray_nodes_give_the_bytes_of_one_process_whatever_is_killed_full_or_endless(
    tmp_path: Path,
) -> None:
    pytest.importorskip("ray", reason="needs Ray: pip install 'ordojo[ray]'")
    alone = tmp_path / "alone.jsonl"
    record(small_work(Killer("nobody", tmp_path)), alone)
    done = subprocess.run(
        [sys.executable, "-m", "tests.training.ray_check", str(alone), str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    assert "same bytes on two nodes" in done.stdout
