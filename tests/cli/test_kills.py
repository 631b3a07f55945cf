"""Killed commands leave nothing behind and go on; `perf.kills` does so a hundred times."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

START = "from ordojo.cli import main; main()"


def relatives(mark: str) -> list[str]:
    """The processes whose environment or command line names the mark."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            text = (path / "environ").read_bytes() + (path / "cmdline").read_bytes()
        except OSError:
            continue
        if mark.encode() in text:
            found.append((path / "cmdline").read_text().replace("\0", " ")[:200])
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked for in /proc")
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGKILL, -9), (signal.SIGTERM, 143), (signal.SIGINT, 130)]
)
def test_a_killed_build_takes_its_workers_along(
    tmp_path: Path, number: signal.Signals, code: int
) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    heard = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    words = ["build", "or-debug", "--n", "4000", "--processes", "2", "-o", "built.jsonl"]
    with subprocess.Popen(
        [sys.executable, "-c", heard + START, *words],
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(temporary)},
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        deadline = time.monotonic() + 60
        # The command, its watcher, the tracker of the pool and two workers.
        while len(relatives(str(temporary))) < 5 and time.monotonic() < deadline:
            time.sleep(0.05)
        # A worker that is still reading what it is to do when its parent dies says so itself.
        time.sleep(1)
        process.send_signal(number)
        assert process.wait(10) == code
        assert process.stderr is not None
        said = process.stderr.read()
    deadline = time.monotonic() + 5
    while relatives(str(temporary)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert relatives(str(temporary)) == []
    assert list(temporary.iterdir()) == []
    assert "Traceback" not in said


MEETS = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
class Meets:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Meets())
from ordojo.__main__ import main
main()
"""


@pytest.mark.parametrize("module", ["ordojo.cli", "click", "ordojo.core.outputs"])
def test_ctrl_c_while_modules_load_prints_no_traceback(module: str) -> None:
    done = subprocess.run([sys.executable, "-c", MEETS, module], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (-signal.SIGINT, "")


def test_the_package_is_the_command() -> None:
    said = subprocess.run(
        [sys.executable, "-m", "ordojo", "--version"], capture_output=True, text=True, check=True
    )
    assert said.stdout.startswith("ordojo, version")
