"""What a command leaves behind: nothing, however it ends."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ordojo.core import ending
from ordojo.core.ending import PREFIX, beside, take_place

HEARING = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
COMMAND = (
    HEARING
    + """
import sys, tempfile, time
from pathlib import Path
from ordojo.core.ending import Stopped, beside, ending
try:
    with ending(), beside(Path(sys.argv[1])) as draft:
        tempfile.mkdtemp()
        (draft / "file").write_text("x")
        stubborn = len(sys.argv) > 2
        while True:
            try:
                print("ready", flush=True)
                time.sleep(60)
            except KeyboardInterrupt:
                if not stubborn:
                    raise
except KeyboardInterrupt as stop:
    sys.exit(getattr(stop, "code", 130))
"""
)


def left(place: Path) -> list[str]:
    # `rglob` fails where a folder goes while it looks, which is what is waited for.
    return sorted(name for _, folders, files in os.walk(place) for name in (*folders, *files))


def started(place: Path, *more: str) -> "subprocess.Popen[str]":
    (place / "tmp").mkdir(exist_ok=True)
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, str(place / "result"), *more],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(place / "tmp")},
    )
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    return process


def gone(place: Path) -> bool:
    deadline = time.monotonic() + 5
    while left(place) != ["tmp"] and time.monotonic() < deadline:
        time.sleep(0.05)
    return left(place) == ["tmp"]


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGKILL, -9)],
)
def test_any_signal_leaves_nothing(tmp_path: Path, number: signal.Signals, code: int) -> None:
    with started(tmp_path) as process:
        assert len(left(tmp_path)) > 4
        process.send_signal(number)
        assert process.wait(10) == code
    assert gone(tmp_path)


def test_who_does_not_end_is_ended(tmp_path: Path) -> None:
    with started(tmp_path, "stubborn") as process:
        began = time.monotonic()
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == -9
    assert time.monotonic() - began >= ending.GRACE and gone(tmp_path)


def test_what_both_could_not_remove_the_next_command_does(tmp_path: Path) -> None:
    with started(tmp_path) as process:
        watchers = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True
        )
        for pid in watchers.stdout.split():
            os.killpg(int(pid), signal.SIGKILL)
        process.kill()
    time.sleep(0.2)
    (tmp_path / "tmp" / f"{PREFIX}strange").mkdir()  # without a lock it is nobody's
    assert "file" in left(tmp_path)
    with started(tmp_path) as process:
        assert len(list((tmp_path / "tmp").iterdir())) == 2
        process.terminate()
    assert left(tmp_path) == [f"{PREFIX}strange", "tmp"]


def test_a_folder_takes_the_place_of_another_in_one_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for text in ("one", "two", "three"):
        with beside(tmp_path / "result") as place:
            (place / "new").mkdir()
            (place / "new" / "file").write_text(text)
            take_place(place / "new", tmp_path / "result")
        assert left(tmp_path) == ["file", "result"]
        assert (tmp_path / "result" / "file").read_text() == text
        if text == "two":  # a system that cannot exchange
            monkeypatch.setattr(ending.ctypes, "CDLL", lambda name: object())


def test_no_temporary_folder_is_one_sentence(tmp_path: Path) -> None:
    start = "from ordojo.cli import main; main()"
    code = f"import tempfile; tempfile.tempdir = {str(tmp_path / 'nowhere')!r}; {start}"
    done = subprocess.run(
        [sys.executable, "-c", code, "data", "list"], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert done.stderr.startswith("ordojo: there is no temporary folder")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(("target", "code"), [("/dev/full", 2), ("closed", 0), ("pipe", 1)])
def test_an_output_that_takes_nothing(target: str, code: int) -> None:
    command = f"{sys.executable} -m ordojo data list --json"
    ends = {"/dev/full": "> /dev/full", "closed": ">&-", "pipe": "| true; exit ${PIPESTATUS[0]}"}
    done = subprocess.run(
        ["bash", "-c", f"{command} {ends[target]}"], capture_output=True, text=True
    )
    assert done.returncode == code
    assert "Traceback" not in done.stderr and "Exception" not in done.stderr


def test_rows_are_utf_8_whatever_a_model_writes() -> None:
    from ordojo.core.journal import line

    row = {"reply": "half \ud800 of a pair, \U0001f600, é"}
    data = line(row)
    assert json.loads(data.decode("utf-8")) == row


AT_EVERY_LINE = """
import os, signal, sys, tempfile, time
from pathlib import Path
from ordojo.core import ending

class Strike:
    def __init__(self, at):
        self.at, self.line = at, 0
    def __call__(self, frame, event, value):
        if frame.f_code.co_filename != ending.__file__:
            return None
        if event == "line":
            self.at -= 1
            if self.at == 0:
                self.line = frame.f_lineno
                os.kill(os.getpid(), signal.SIGINT)
        return self

place, at, stood = Path(sys.argv[1]), 0, []
while True:
    os.environ["TMPDIR"], tempfile.tempdir = str(place), str(place)
    strike = Strike(at := at + 1)
    sys.settrace(strike)
    try:
        with ending.ending(), ending.beside(place / "out") as draft:
            (draft / "file").write_text("x")
            (draft / "file").rename(place / "out")
    except KeyboardInterrupt:
        pass
    sys.settrace(None)
    (place / "out").unlink(missing_ok=True)
    stood += [(strike.line, name) for name in os.listdir(place)]
    if stood or not strike.line:
        break
print(at, stood)
"""


def test_a_signal_at_any_line_leaves_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HEARING + AT_EVERY_LINE, str(tmp_path)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    lines, _, stood = said.partition(" ")
    assert int(lines) > 80 and stood == "[]\n"
