import io
import tarfile
from pathlib import Path

import pytest
from nl2opt_toys import packed, write

from ordojo.core.errors import DataError
from ordojo.datasets.store import unpacked


def archive_of(path: Path, *members: tuple[str, bytes, bytes]) -> Path:
    """A tar of members (name, type, content or link)."""
    with tarfile.open(path, "w:xz") as tar:
        for name, kind, content in members:
            info = tarfile.TarInfo(name)
            info.type = kind
            if kind == tarfile.REGTYPE:
                info.size = len(content)
                tar.addfile(info, io.BytesIO(content))
            else:
                info.linkname = content.decode()
                tar.addfile(info)
    return path


def test_unpacked_once_and_mended(home: Path) -> None:
    write(home / "in/a/b.txt", "hello")
    archive = packed(home / "toy.tar.xz", home / "in", "dataset")
    folder = unpacked(archive)
    assert folder.is_relative_to(home / "cache")
    assert (folder / "dataset/a/b.txt").read_text() == "hello"
    stamp = (folder / "dataset/a/b.txt").stat().st_mtime_ns
    assert unpacked(archive) == folder
    assert (folder / "dataset/a/b.txt").stat().st_mtime_ns == stamp
    (folder / "dataset/a/b.txt").write_text("hell")
    assert (unpacked(archive) / "dataset/a/b.txt").read_text() == "hello"
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


@pytest.mark.parametrize(
    ("member", "says"),
    [
        (("../evil.txt", tarfile.REGTYPE, b"x"), "leads outside"),
        (("a/../../evil.txt", tarfile.REGTYPE, b"x"), "leads outside"),
        (("/tmp/evil.txt", tarfile.REGTYPE, b"x"), "leads outside"),
        (("C:\\evil.txt", tarfile.REGTYPE, b"x"), "leads outside"),
        (("link", tarfile.SYMTYPE, b"/etc/passwd"), "is a link"),
        (("hard", tarfile.LNKTYPE, b"../../secret"), "is a link"),
        (("pipe", tarfile.FIFOTYPE, b""), "is a link or a device"),
        (("ordojo.unpacked.json", tarfile.REGTYPE, b"{}"), "no name for a file"),
    ],
)
def test_unsafe_members_are_refused(
    home: Path, member: tuple[str, bytes, bytes], says: str
) -> None:
    archive = archive_of(home / "bad.tar.xz", ("good.txt", tarfile.REGTYPE, b"x"), member)
    with pytest.raises(DataError, match=says):
        unpacked(archive)
    assert not (home / "evil.txt").exists()
    assert not (home / "cache").exists()


def test_bombs_are_refused(home: Path) -> None:
    bomb = archive_of(home / "bomb.tar.xz", ("zeros", tarfile.REGTYPE, bytes(1 << 20)))
    with pytest.raises(DataError, match="more than 1,000,000 bytes"):
        unpacked(bomb, max_bytes=1_000_000)
    many = archive_of(home / "many.tar.xz", *((f"f{k}", tarfile.REGTYPE, b"") for k in range(11)))
    with pytest.raises(DataError, match="10 files"):
        unpacked(many, max_files=10)


@pytest.mark.parametrize("cut", [0, 10, -100])
def test_damaged_archives_are_refused(home: Path, cut: int) -> None:
    write(home / "in/a.txt", "hello" * 1000)
    archive = packed(home / "toy.tar.xz", home / "in", "dataset")
    archive.write_bytes(archive.read_bytes()[:cut])
    with pytest.raises(DataError, match=r"damaged.*get it again"):
        unpacked(archive)
    archive.write_bytes(b"no archive at all")
    with pytest.raises(DataError, match="damaged"):
        unpacked(archive)


def test_a_cache_that_is_no_folder(home: Path) -> None:
    write(home / "in/a.txt", "hello")
    archive = packed(home / "toy.tar.xz", home / "in", "dataset")
    write(home / "cache", "a file")
    with pytest.raises(DataError, match="set ORDOJO_CACHE"):
        unpacked(archive)


def test_a_name_twice_is_refused(home: Path) -> None:
    twice = archive_of(
        home / "twice.tar.xz", ("a", tarfile.REGTYPE, b"1"), ("a", tarfile.REGTYPE, b"2")
    )
    with pytest.raises(DataError):
        unpacked(twice)
