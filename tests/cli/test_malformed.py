"""A sample of `perf.malformed`: changed inputs of every command end in a sentence."""

import subprocess
import sys
from pathlib import Path

import pytest
from perf.malformed import run

from tests import needs

pytestmark = needs("torch", "train")

INPUTS = 36
"""Two of every command; `python -m perf.malformed` has a thousand."""


@pytest.mark.filterwarnings("default")
def test_a_sample_of_malformed_inputs(tmp_path: Path) -> None:
    faults, counts = run(range(INPUTS), 3, "", tmp_path)
    assert not faults and sum(counts.values()) == INPUTS


def test_what_was_given_is_quoted_on_one_line(tmp_path: Path) -> None:
    words = ["verify", "a\nb\x1b[31m" + "x" * 5000]
    done = subprocess.run(
        [sys.executable, "-m", "ordojo", *words], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and "\x1b" not in done.stderr and len(done.stderr) < 1100
