"""`ordojo build` writes over nothing that it was not told to."""

import pytest
from click.testing import CliRunner

from ordojo.api.benchmarks import build
from ordojo.cli.benchmarks import build as command
from ordojo.core.errors import UsageError


def test_a_file_or_folder_that_holds_something_needs_force(tmp_path):
    mine = tmp_path / "mine.jsonl"
    mine.write_text("mine")
    for out in (mine, tmp_path):
        for name in ("or-bias", "or-debug", "orqa"):
            with pytest.raises(UsageError, match="`force`"):
                build(name, out, n=2)
    assert mine.read_text() == "mine"
    asked = ["or-bias", "-o", str(mine), "--n", "2", "--force"]
    assert CliRunner().invoke(command, asked).exit_code == 0
    assert len(mine.read_text().splitlines()) == 2
