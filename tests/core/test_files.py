"""One opener of files: what is no regular file, or has no end, is refused and not waited for."""

import bz2
import gzip
import lzma
import os
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ordojo.core import files
from ordojo.core.files import FileRefusedError, files_below, open_file, read_bytes, reading


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)  # a socket's path may have 108 characters
    (tmp_path / "plain").write_text("four")
    (tmp_path / "link").symlink_to("plain")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "zero").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as door:
        door.bind("socket")
        yield tmp_path


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("pipe", "it is a pipe, and no file"),
        ("socket", "it is a socket or a device, and no file"),
        ("zero", "it is a device, and no file"),
        ("/dev/zero", "it is a device, and no file"),
        ("/dev/tty", "no file"),
        ("/proc/self/mem", "a file of the kernel's"),
        ("/proc/self/maps", "a file of the kernel's"),
        ("/sys/kernel/uevent_seqnum", "a file of the kernel's"),
        ("loop", "symbolic links"),
        (".", "directory"),
        ("none", "No such file"),
    ],
)
def test_what_is_no_file_is_refused_at_once(folder: Path, name: str, why: str) -> None:
    if name.startswith("/") and not Path(name).exists():
        pytest.skip("this machine has no such file")
    began = time.monotonic()
    with pytest.raises(OSError) as caught:
        open_file(folder / name)
    if name != "/dev/tty":  # which has no terminal behind it in most tests
        assert why in str(caught.value.strerror)
    assert time.monotonic() - began < 1
    assert len(os.listdir("/proc/self/fd")) < 200 if Path("/proc").exists() else True  # noqa: PTH208


def test_a_file_and_a_link_to_it_are_read(folder: Path) -> None:
    assert read_bytes(folder / "plain") == read_bytes(folder / "link") == b"four"
    assert read_bytes(folder / "link", within=[folder]) == b"four"


def test_a_link_that_leads_out_is_not_followed(folder: Path) -> None:
    inside = folder / "in"
    inside.mkdir()
    (inside / "out").symlink_to("../plain")
    (inside / "up").symlink_to("..")
    for name in ("out", "up/plain", "../plain"):
        with pytest.raises(FileRefusedError, match="leads out of"):
            read_bytes(inside / name, within=[inside])
    assert read_bytes(inside / "out", within=[inside, folder]) == b"four"


def test_descriptors_are_given_back(folder: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    for name in ("pipe", "zero", ".", "plain"):
        for _ in range(20):
            try:
                read_bytes(folder / name, largest=2)
            except OSError:
                continue
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
}


@pytest.mark.parametrize("kind", PACKERS)
def test_bytes_are_counted_packed_and_unpacked(folder: Path, kind: str) -> None:
    path = folder / f"x.{kind}"
    path.write_bytes(PACKERS[kind](b"a line\n" * 1000))
    assert path.stat().st_size < 6999
    assert read_bytes(path, unpack=True) == b"a line\n" * 1000
    assert read_bytes(path, unpack=True, largest=7000) == b"a line\n" * 1000
    with pytest.raises(FileRefusedError, match="unpacks to more than 6,999 bytes"):
        read_bytes(path, unpack=True, largest=6999)
    with pytest.raises(FileRefusedError, match="it has more than 10 bytes"):
        read_bytes(path, unpack=True, largest=10)


@pytest.mark.parametrize("kind", PACKERS)
def test_a_bomb_goes_off_nowhere(folder: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "ROOM", 1 << 20)
    path = folder / f"bomb.{kind}"
    path.write_bytes(PACKERS[kind](b" " * (8 << 20)))
    most = max(1 << 20, files.PACKED[path.suffix][1] * path.stat().st_size)
    assert most < 8 << 20
    with pytest.raises(FileRefusedError, match=f"unpacks to more than {most:,} bytes"):
        read_bytes(path, unpack=True)


@pytest.mark.parametrize("kind", PACKERS)
def test_a_large_bomb_is_told_before_it_is_read(
    folder: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "ROOM", 1 << 10)
    path = folder / f"bomb.{kind}"
    path.write_bytes(PACKERS[kind](b" " * (1 << 20)) * 50)
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    with pytest.raises(FileRefusedError, match="unpacks to more than"):
        open_file(path, unpack=True)
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208
    path.write_bytes(PACKERS[kind](b"a line\n" * 100) * 50)
    assert read_bytes(path, unpack=True) == b"a line\n" * 5000
    path.write_bytes(PACKERS[kind](os.urandom(1 << 14))[:-20])
    with (
        open_file(path, unpack=True) as damaged,  # which is said by its reader, with the line
        pytest.raises((EOFError, OSError)),
    ):
        damaged.read()


def test_reading_has_an_end(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LEAST_SECONDS", 0.0)
    with (
        reading(0.05),
        open_file(folder / "plain") as file,
        pytest.raises(FileRefusedError, match=r"not read within 0\.05 seconds"),
    ):
        time.sleep(0.1)
        file.read()
    assert read_bytes(folder / "plain") == b"four"


def test_the_narrower_bounds_hold(folder: Path) -> None:
    with reading(60, 3), reading(3600), pytest.raises(FileRefusedError, match="more than 3 bytes"):
        read_bytes(folder / "plain")
    with reading(60, 3), reading(60, 10), pytest.raises(FileRefusedError, match="than 3 bytes"):
        read_bytes(folder / "plain")


def test_a_folder_has_an_end(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "again").symlink_to(".")
    assert [path.name for path in files_below(folder)] == ["link", "plain", "zero"][:2]
    with pytest.raises(FileRefusedError, match="folder of the kernel's"):
        list(files_below(Path("/proc")))
    monkeypatch.setattr(files, "MOST_FILES", 3)
    with pytest.raises(FileRefusedError, match="more than 3 files"):
        list(files_below(folder))
