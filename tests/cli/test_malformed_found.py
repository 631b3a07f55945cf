"""What the thousand malformed inputs have found: each stays a sentence."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from ordojo.cli import cli
from ordojo.core.errors import DataError, RunError, UsageError
from ordojo.core.journal import Journal
from tests.structures.toys import LOTS


def test_half_of_a_surrogate_pair_in_a_blueprint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lots.mps").write_text(LOTS)
    (tmp_path / "blueprint.json").write_text('{"version": 1, "story": "\\ud800"}')
    words = ["structure", "lots.mps", "--export", "out", "--blueprint", "blueprint.json"]
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(cli, words)
    assert isinstance(done.exception, DataError) and "surrogates" in str(done.exception)


def test_prices_with_a_strange_character(tmp_path: Path) -> None:
    (tmp_path / "prices.yaml").write_bytes(b"model:\n  input: 1\n\x00")
    words = ["eval", "orqa", "-T", "dataset=orqa@ordojo", "--limit", "1", "--model", "hf/x"]
    words += ["--prices", str(tmp_path / "prices.yaml"), "--runs", str(tmp_path)]
    done = CliRunner().invoke(cli, words)
    assert isinstance(done.exception, UsageError) and "no file of prices" in str(done.exception)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs a device that takes no length")
def test_a_lock_that_is_a_device(tmp_path: Path) -> None:
    (tmp_path / "edits.jsonl.lock").symlink_to("/dev/zero")
    with pytest.raises((RunError, DataError), match="no file to write to"):
        Journal(tmp_path / "edits.jsonl")
