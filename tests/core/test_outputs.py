"""The one writer of outputs: whole or as it was, and nothing of anybody else's is lost."""

import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ordojo.core.ending import DRAFT
from ordojo.core.errors import DataError, RunError, UsageError
from ordojo.core.outputs import cache_root, named, whole_file, whole_folder, why, write_file


def tree(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_a_file_is_the_former_or_the_new_one(tmp_path: Path) -> None:
    path = tmp_path / "new" / "file.txt"
    write_file(path, "one\r\n")
    assert path.read_bytes() == b"one\r\n"
    path.chmod(0o640)
    with pytest.raises(ZeroDivisionError), whole_file(path) as draft:
        draft.write_text("tw")
        assert draft.name == path.name
        raise ZeroDivisionError
    assert tree(tmp_path) == {"new/file.txt": "one\n"}
    with whole_file(path, sync=True) as draft:
        draft.write_text("two")
    assert tree(tmp_path) == {"new/file.txt": "two"}
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_folder_is_the_former_or_the_new_one(tmp_path: Path) -> None:
    for text, name in [("one", "a"), ("two", "b")]:
        with whole_folder(tmp_path / "made", sync=True) as draft:
            (draft / name).write_text(text)
    assert tree(tmp_path) == {"made/b": "two"}
    with pytest.raises(KeyboardInterrupt), whole_folder(tmp_path / "made") as draft:
        (draft / "c").write_text("three")
        raise KeyboardInterrupt
    assert tree(tmp_path) == {"made/b": "two"}


def test_folders_that_were_made_for_nothing_go(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), whole_folder(tmp_path / "a" / "b"):
        raise ZeroDivisionError
    assert list(tmp_path.iterdir()) == []


def test_what_others_keep_in_a_folder_comes_along(tmp_path: Path) -> None:
    made = tmp_path / "made"
    (made / "mine" / "empty").mkdir(parents=True)
    (made / "mine" / "note").write_text("note")
    (made / "mine" / "link").symlink_to("note")
    (made / "mine" / "folder").symlink_to("empty")
    (made / "old").write_text("old")
    before = (made / "mine" / "note").stat().st_ino
    with whole_folder(made, keep=True) as draft:
        (draft / "mine").mkdir()
        (draft / "mine" / "new").write_text("new")
        (draft / "old").write_text("newer")
    assert tree(made) == {"mine/link": "note", "mine/new": "new", "mine/note": "note"} | {
        "old": "newer"
    }
    assert (made / "mine" / "note").stat().st_ino == before
    assert (made / "mine" / "link").readlink() == Path("note")
    assert (made / "mine" / "folder").is_symlink() and (made / "mine" / "empty").is_dir()


def test_a_folder_of_another_command_is_refused(tmp_path: Path) -> None:
    with whole_folder(tmp_path / "made", own=("tables/t*.npy", "a.json")) as draft:
        (draft / "a.json").write_text("{}")
    (tmp_path / "made" / "thesis.tex").write_text("years")
    begun = False
    with (
        pytest.raises(UsageError, match=r"made also holds thesis\.tex, which would be lost"),
        whole_folder(tmp_path / "made", own=("tables/t*.npy", "a.json")),
    ):
        begun = True
    assert not begun and tree(tmp_path) == {"made/a.json": "{}", "made/thesis.tex": "years"}


def test_what_nothing_can_take_the_place_of(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    for path, says in [
        (tmp_path, "is a folder; name a file"),
        (tmp_path / "pipe", "is no plain file"),
        (tmp_path / "a", "is no plain file"),
        (Path("/dev/null"), "is no plain file"),
    ]:
        with pytest.raises(UsageError, match=says):
            write_file(path, "")
    for path, says in [(tmp_path / "file", "is no folder"), (Path("/proc"), "is a mount point")]:
        with pytest.raises(UsageError, match=says), whole_folder(path):
            pass
    with pytest.raises(DataError, match=r"cannot write .*/file/x: .*exists .*; choose another"):
        write_file(tmp_path / "file" / "x", "")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    assert not list(tmp_path.glob(f".*{DRAFT}*"))


def test_a_link_stays_and_what_it_leads_to_is_exchanged(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    for name, to in [("file", "elsewhere/file"), ("folder", "elsewhere/folder")]:
        (tmp_path / name).symlink_to(to)
    for text in ("one", "two"):
        write_file(tmp_path / "file", text)
        with whole_folder(tmp_path / "folder") as draft:
            (draft / "x").write_text(text)
    assert (tmp_path / "file").is_symlink() and (tmp_path / "folder").is_symlink()
    assert tree(tmp_path / "elsewhere") == {"file": "two", "folder/x": "two"}


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write everything")
def test_what_is_not_to_be_written_stays(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "file").chmod(0o400)
    with pytest.raises(DataError, match="Permission denied"):
        write_file(tmp_path / "file", "")
    assert (tmp_path / "file").read_text() == "mine"


def test_what_is_written_in_a_draft_is_whole_with_it(tmp_path: Path) -> None:
    made = tmp_path / "made"
    with pytest.raises(DataError, match=r"cannot write .*made/file/x: "), whole_folder(made) as new:
        write_file(new / "file", "one")
        assert named(new / "file") == made / "file"
        assert list(new.iterdir()) == [new / "file"]
        write_file(new / "file" / "x", "")
    assert not made.exists()


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (OSError(28, "No space left on device"), "No space left on device"),
        (OSError("12 requested and 5 written"), "the disk is full, or files may not be that large"),
        (OSError(28, "No space left on device", "/tmp/x"), "No space left on device (/tmp/x)"),
        (OSError(13, "Denied", f"/a/.b.{DRAFT}x/b"), "Denied"),
        (OSError("odd"), "odd"),
        (
            RuntimeError("No space left (28)\nat"),
            "No space left (28)",
        ),
        (RuntimeError("odd"), ""),
        (ConnectionResetError(104, "reset"), ""),
    ],
)
def test_the_cause_is_named(error: Exception, says: str) -> None:
    assert why(error) == says


def test_errors_are_told_with_the_cause_and_what_helps(tmp_path: Path) -> None:
    with (
        pytest.raises(RunError, match=r"cannot write .*: No space left; free some space, or go"),
        whole_folder(tmp_path / "made", error=RunError, advice="go"),
    ):
        raise OSError(28, "No space left")
    with pytest.raises(ValueError, match="odd"), whole_folder(tmp_path / "made"):
        raise ValueError("odd")


SLOW = """
import sys, time
from pathlib import Path
from ordojo.core import ending
from ordojo.core.outputs import whole_folder
if sys.argv[2] == "two steps":  # a system that cannot exchange, and a kill between the two
    ending.ctypes.CDLL = lambda name: object()
    rename = Path.rename
    def slow(self, target):
        if self.name == "new":
            print("ready", flush=True)
            time.sleep(60)
        return rename(self, target)
    Path.rename = slow
with whole_folder(sys.argv[1]) as draft:
    (draft / "b").write_text("new")
    if sys.argv[2] == "begun":
        print("ready", flush=True)
        time.sleep(60)
"""


@pytest.mark.parametrize("command", [True, False])
@pytest.mark.parametrize("moment", ["begun", "two steps"])
def test_the_next_one_clears_up_after_a_kill(tmp_path: Path, moment: str, command: bool) -> None:
    with whole_folder(tmp_path / "made") as draft:
        (draft / "a").write_text("former")
    (tmp_path / "tmp").mkdir()
    code = SLOW
    if command:
        body = "".join(f"    {line}\n" for line in SLOW.splitlines())
        code = f"from ordojo.core.ending import ending\nwith ending():\n{body}"
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path / "made"), moment],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path / "tmp")},
    ) as process:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 5
    while list((tmp_path / "tmp").iterdir()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert (tmp_path / "made").exists() == (moment == "begun")
    # Whatever comes of the next one, the former folder is there again, and the draft is not.
    with pytest.raises(ZeroDivisionError), whole_folder(tmp_path / "made"):
        assert tree(tmp_path / "made") == {"a": "former"}
        raise ZeroDivisionError
    assert sorted(path.name for path in tmp_path.iterdir()) == ["made", "tmp"]
    assert tree(tmp_path) == {"made/a": "former"}


def test_the_cache_is_where_a_person_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORDOJO_CACHE", "~/kept")
    assert cache_root() == Path.home() / "kept"
    monkeypatch.delenv("ORDOJO_CACHE")
    assert cache_root().name == "ordojo"
