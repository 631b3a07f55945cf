"""What is given as a file and is none: one sentence at every command, without waiting."""

import bz2
import gzip
import lzma
import os
from pathlib import Path

import pytest

from tests import command

QUESTIONS = {
    "whatif": ("--set", "c<=1"),
    "whynot": ("x>=1",),
    "worth": ("c",),
    "suspects": (),
    "check": ("f.jsonl",),
}
PROGRAM = """
import os
for name in ("own.txt", "link.txt", "data/s.txt", "data/own.txt", "etc/hostname"):
    try:
        print(name, open(name).read().strip())
    except OSError:
        print(name, "is not there")
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("f.lp", "f.mps", "f.py", "f.jsonl"):
        os.mkfifo(tmp_path / name)
    (tmp_path / "loop.lp").symlink_to("loop.lp")
    (tmp_path / "zero.lp").symlink_to("/dev/zero")
    (tmp_path / "p.py").write_text("print(1)\n")
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        ("explain", "f.lp"),
        ("explain", "f.mps"),
        ("explain", "f.py"),
        ("explain", "loop.lp"),
        ("explain", "zero.lp"),
        *((name, "f.lp", *more) for name, more in QUESTIONS.items()),
        ("check", "f.py", "f.jsonl"),
        ("structure", "f.mps", "-o", "out"),
        ("diff", "f.mps", "f.mps"),
        ("run", "f.py"),
        ("run", "/dev/zero"),
        ("run", "/proc/self/mem"),
        ("run", "p.py", "--file", "/proc"),
        ("run", "p.py", "--file", "/sys"),
        ("run", "p.py", "--file", "/dev/zero"),
        ("run", "p.py", "--file", "f.lp"),
        ("run", "p.py", "--file", "loop.lp"),
        ("run", "p.py", "--file", "/"),
        ("verify", "f.jsonl"),
        ("hardness", "f.jsonl"),
        ("grade", "f.jsonl", "--dataset", "nl2opt@ordojo"),
        ("eval", "orqa", "--model", "ordojo/gold", "-T", "dataset=f.jsonl"),
        ("eval", "or-debug", "--model", "ordojo/gold", "-T", "instances=f.jsonl"),
        ("eval", "orqa", "--model", "ordojo/replay?path=f.jsonl", "-T", "dataset=orqa@ordojo"),
        ("train", "sft", "--config", "f.py"),
    ],
    ids=" ".join,
)
def test_what_is_no_file_is_one_sentence(folder: Path, words: tuple[str, ...]) -> None:
    done = command.ordojo(words, folder)
    assert done.returncode == 2, done
    assert "Traceback" not in done.stderr
    said = [line for line in done.stderr.splitlines() if line.startswith("ordojo: ")]
    assert len(said) == 1, done.stderr
    names = [word.rpartition("=")[2] for word in words[1:]]
    assert any(name in said[0] for name in names if name not in ("out", "-o"))


PACKERS = {"gz": (gzip.compress, 50), "bz2": (bz2.compress, 90), "xz": (lzma.compress, 200)}


@pytest.mark.parametrize(
    ("words", "kind"),
    [(("explain",), "gz"), *((("structure", "-o", "out"), kind) for kind in PACKERS)],
    ids=str,
)
def test_a_bomb_is_one_sentence(tmp_path: Path, words: tuple[str, ...], kind: str) -> None:
    pack, ratio = PACKERS[kind]
    one = pack((b"* " + b"x" * 60 + b"\n") * (1 << 17))
    name = f"bomb.mps.{kind}"
    (tmp_path / name).write_bytes(one * -(-(1 << 21) // len(one)))  # 2 MiB
    most = ratio * (tmp_path / name).stat().st_size
    done = command.ordojo((*words, name), tmp_path)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert f"{name}: it unpacks to more than {most:,} bytes" in done.stderr
    assert len([line for line in done.stderr.splitlines() if line.startswith("ordojo: ")]) == 1
    assert not (tmp_path / "out").exists()


def test_no_link_is_followed_out_of_the_programs_folder(tmp_path: Path) -> None:
    inside, secret = tmp_path / "in", tmp_path / "secret"
    inside.mkdir()
    secret.mkdir()
    (secret / "s.txt").write_text("314159\n")
    (inside / "p.py").write_text(PROGRAM)
    (inside / "own.txt").write_text("mine\n")
    (inside / "link.txt").symlink_to("../secret/s.txt")
    (inside / "data").symlink_to("../secret")
    (inside / "etc").symlink_to("/etc")
    done = command.ordojo(("run", "in/p.py"), tmp_path)
    assert done.stdout.splitlines() == [
        "own.txt mine",
        *(f"{name} is not there" for name in ("link.txt", "data/s.txt", "data/own.txt")),
        "etc/hostname is not there",
    ]
    (inside / "data").unlink()
    (inside / "data").mkdir()
    (inside / "data" / "own.txt").symlink_to("../own.txt")
    (inside / "data" / "s.txt").symlink_to("../../secret/s.txt")
    told = command.ordojo(("run", "in/p.py"), tmp_path).stdout
    assert "data/own.txt mine" in told and "314159" not in told
    given = command.ordojo(("run", "p.py", "--file", "data"), inside)
    assert given.returncode == 2 and "a link that leads out of data" in given.stderr
    named = command.ordojo(("run", "p.py", "--file", "link.txt"), inside)
    assert "link.txt 314159" in named.stdout  # which its user has named
