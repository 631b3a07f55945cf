"""`ordojo workbench` as a person starts it."""

import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

from .toys import LOTS

# Python leaves an interrupt ignored where its parent ignored it, as shells do in the background.
HEARING = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
COMMAND = [sys.executable, "-c", f"{HEARING}; from ordojo.cli import main; main()", "workbench"]


def test_the_command_serves_until_it_is_stopped(tmp_path: Path) -> None:
    model = tmp_path / "lots.mps"
    model.write_text(LOTS)
    with subprocess.Popen(
        [*COMMAND, str(model)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1,
        env={"PYTHONUNBUFFERED": "1"},
    ) as running:  # fmt: skip
        assert running.stdout is not None
        first = running.stdout.readline()
        assert first.startswith("Workbench of lots.mps at http://127.0.0.1:"), running.stderr
        with urllib.request.urlopen(first.split()[-1], timeout=10) as answer:
            assert "<title>Workbench</title>" in answer.read().decode()
        running.send_signal(signal.SIGINT)
        try:
            rest, _ = running.communicate(timeout=30)
        finally:
            running.kill()
    assert running.returncode == 0 and rest.endswith("Ended.\n")
    assert (tmp_path / "lots-workbench" / "edits.jsonl").read_text().count("\n") == 1


def test_what_is_no_model_is_one_sentence(tmp_path: Path) -> None:
    model = tmp_path / "poem.mps"
    model.write_text("roses are red\n")
    done = subprocess.run([*COMMAND, str(model)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert done.stderr.splitlines()[-1].startswith("ordojo: ")
    assert not (tmp_path / "poem-workbench").exists()
