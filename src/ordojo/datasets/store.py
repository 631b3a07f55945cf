"""Where datasets lie on this machine, and whether they are what they claim to be.

An archive is unpacked into the cache, once, and only what may safely be written.
"""

import hashlib
import json
import lzma
import os
import shutil
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import resources
from pathlib import Path, PurePosixPath
from typing import IO

from ordojo.core.canonical import digest
from ordojo.core.errors import DataError
from ordojo.core.files import open_file, parse_json, read_text
from ordojo.core.outputs import cache_root, whole_folder, write_file
from ordojo.datasets.or_debug_authors import inner_hash
from ordojo.datasets.registry import DatasetSpec, FileSpec, get_dataset

LOCK_NAME = "ordojo.lock.json"
"""The file beside pulled data that keeps the revision and hashes which their source did not pin."""


@dataclass(frozen=True)
class Located:
    """A dataset found in `folder`, with the path of every split."""

    spec: DatasetSpec
    folder: Path
    files: Mapping[str, Path]

    @cached_property
    def hashes(self) -> dict[str, str]:
        """SHA-256 of every file or folder as it is now, by its name."""
        return {file.name: content_hash(file, self.files[file.split]) for file in self.spec.files}

    @cached_property
    def sha256(self) -> str:
        """One digest over all files and their names."""
        return digest(self.hashes)


def locate(dataset_id: str) -> Located:
    """Find a dataset and check its files' hashes; raises UsageError or DataError."""
    located = find(get_dataset(dataset_id))
    expected = expected_hashes(located.spec, located.folder)
    for file in located.spec.files:
        path = located.files[file.split]
        if problem := hash_problem(located.hashes[file.name], expected[file.name]):
            raise DataError(
                f"{path} is not the {'folder' if file.members else 'file'} of {dataset_id}: "
                f"{problem}; "
                f"delete it and {located.spec.remedy}"
            )
    return located


def find(spec: DatasetSpec) -> Located:
    """The first folder that has all of a dataset's files, unchecked; raises DataError if none."""
    folders = _folders(spec)
    for folder in folders:
        located = at(spec, folder)
        if all(is_there(file, located.files[file.split]) for file in spec.files):
            return located
    looked = " and ".join(str(folder) for folder in folders) or "no folder, ORDOJO_DATA is not set"
    raise DataError(f"{spec.id} is not here (looked in {looked}); {spec.remedy}")


def at(spec: DatasetSpec, folder: Path) -> Located:
    """The dataset as it would lie in `folder`."""
    return Located(spec, folder, {file.split: folder / file.name for file in spec.files})


def cache_folder(spec: DatasetSpec) -> Path:
    """Where `pull` puts a dataset: below $ORDOJO_CACHE or the user's cache directory."""
    return cache_root() / "datasets" / spec.id


def _folders(spec: DatasetSpec) -> list[Path]:
    if spec.source.kind == "shipped":
        here = Path(str(resources.files("ordojo.datasets")))
        return [here / Path(spec.files[0].path).parent]
    folders = []
    if root := os.environ.get("ORDOJO_DATA"):
        folders.append(Path(root).expanduser() / spec.folder)
    if spec.source.kind != "local":
        folders.append(cache_folder(spec))
    return folders


def is_there(file: FileSpec, path: Path) -> bool:
    """Whether there is a file at `path`, or a folder where the dataset is one."""
    return path.is_dir() if file.members else path.is_file()


def member_files(file: FileSpec, folder: Path) -> list[Path]:
    """The files of a folder that belong to the dataset, in the order of their paths."""
    found = (path for pattern in file.members for path in folder.rglob(pattern))
    return sorted({path for path in found if path.is_file()}, key=lambda path: path.as_posix())


def content_hash(file: FileSpec, path: Path) -> str:
    """SHA-256 of a file, or of a folder's members with their paths in it; raises DataError."""
    if file.repacked:
        return inner_hash(path)
    if not file.members:
        return sha256_of(path)
    return digest({m.relative_to(path).as_posix(): sha256_of(m) for m in member_files(file, path)})


def sha256_of(path: Path) -> str:
    """SHA-256 of a file, 64 hexadecimal digits; raises DataError if it cannot be read."""
    try:
        with open_file(path) as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror}; check its permissions") from error


def hash_problem(found: str, expected: str) -> str:
    """What is wrong with a file's hash, as a clause; empty if it fits or none is expected."""
    if not expected or found == expected:
        return ""
    return f"its sha256 is {found[:12]}, expected {expected[:12]}"


@dataclass(frozen=True)
class Lock:
    """What the first pull found where the registry pins too little: whole revision, hashes."""

    revision: str = ""
    files: Mapping[str, str] = field(default_factory=dict)


def read_lock(folder: Path) -> Lock:
    """The lock in `folder`, empty if there is none; raises DataError if it is damaged."""
    path = folder / LOCK_NAME
    try:
        content = parse_json(read_text(path))
        files = {str(name): str(sha256) for name, sha256 in content["files"].items()}
        return Lock(str(content["revision"]), files)
    except FileNotFoundError:
        return Lock()
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise DataError(
            f"{path} is damaged; delete its folder and pull the dataset again"
        ) from None


def write_lock(folder: Path, lock: Lock) -> None:
    """Replace the lock in `folder` in one step; raises DataError."""
    content = {"revision": lock.revision, "files": dict(lock.files)}
    write_file(folder / LOCK_NAME, json.dumps(content, indent=2) + "\n")


def expected_hashes(spec: DatasetSpec, folder: Path) -> dict[str, str]:
    """Every file's expected SHA-256, by file name: pinned, else locked, else "" for unknown."""
    locked = read_lock(folder).files
    return {file.name: file.sha256 or locked.get(file.name, "") for file in spec.files}


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
