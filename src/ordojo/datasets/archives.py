"""Unpacking a dataset's archive into the cache, once, and only what may safely be written."""

import json
import lzma
import shutil
import tarfile
from pathlib import Path, PurePosixPath
from typing import IO

from ordojo.core.errors import DataError
from ordojo.core.files import open_file, parse_json, read_text
from ordojo.core.outputs import whole_folder
from ordojo.datasets.store import cache_root, sha256_of

MAX_BYTES, MAX_FILES = 1 << 30, 50_000
"""Of an archive: nine times the bytes, and over twenty times the files, of any dataset's."""
MANIFEST = "ordojo.unpacked.json"
"""What was unpacked: names and sizes, so that a damaged folder is noticed and made anew."""


def unpacked(archive: Path, max_bytes: int = MAX_BYTES, max_files: int = MAX_FILES) -> Path:
    """The folder in the cache that holds the archive's files, unpacked at the first call.

    Raises DataError for a damaged archive, one that names places outside itself, links or devices,
    one that is larger than the limits, and a cache that cannot be written.
    """
    target = cache_root() / "unpacked" / f"{archive.name}-{sha256_of(archive)[:16]}"
    if _is_whole(target):
        return target
    try:
        with whole_folder(target, advice="set ORDOJO_CACHE to another folder") as folder:
            sizes = _unpack(archive, folder, max_bytes, max_files)
            (folder / MANIFEST).write_text(json.dumps(sizes), "utf-8")
    except DataError:
        if not _is_whole(target):  # else another process was faster
            raise
    return target


def _is_whole(target: Path) -> bool:
    try:
        sizes = parse_json(read_text(target / MANIFEST))
        return all((target / name).stat().st_size == size for name, size in sizes.items())
    except (OSError, ValueError, AttributeError):
        return False


def _unpack(archive: Path, folder: Path, max_bytes: int, max_files: int) -> dict[str, int]:
    """Write every file of the archive below `folder`; returns their sizes by name."""
    sizes: dict[str, int] = {}
    try:
        with open_file(archive) as file, tarfile.open(fileobj=file, mode="r|*") as members:
            for member in members:
                if member.isdir():
                    continue
                name = _safe_name(member, archive)
                left = max_bytes - sum(sizes.values())
                if member.size > left or len(sizes) >= max_files:
                    raise DataError(
                        f"{archive} unpacks to more than {max_bytes:,} bytes or {max_files:,} "
                        "files; it is not the archive it should be: get it again"
                    )
                source = members.extractfile(member)
                if source is None:
                    raise _unsafe(archive, member.name, "is not a plain file")
                sizes[name] = _copy(source, folder / name)
    except (tarfile.TarError, lzma.LZMAError, EOFError, ValueError) as error:
        raise DataError(f"{archive} is damaged ({error}); get it again") from None
    return sizes


def _copy(source: IO[bytes], target: Path) -> int:
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("xb") as sink:
        shutil.copyfileobj(source, sink, 1 << 20)
        return sink.tell()


def _safe_name(member: tarfile.TarInfo, archive: Path) -> str:
    """The member's path below the folder; raises DataError for any other."""
    name = PurePosixPath(member.name)
    if not member.isreg():
        raise _unsafe(archive, member.name, "is a link or a device")
    if name.is_absolute() or ".." in name.parts or any(mark in member.name for mark in "\\\0:"):
        raise _unsafe(archive, member.name, "leads outside of it")
    if name.as_posix() in (".", MANIFEST):
        raise _unsafe(archive, member.name, "is no name for a file")
    return name.as_posix()


def _unsafe(archive: Path, name: str, what: str) -> DataError:
    return DataError(f"{archive} is not unpacked: its member '{name}' {what}; get it again")
