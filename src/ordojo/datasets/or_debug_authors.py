"""OR-Debug-Bench as its authors published it: packing its files, and reading them.

A set is a JSON document of problems and a folder of MPS models. They are kept repacked, as
NAME.dataset.json.xz and NAME.models.tar.xz, and pinned by what is in them.
"""

import hashlib
import io
import lzma
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from ordojo.core.canonical import digest
from ordojo.core.errors import DataError
from ordojo.core.files import Row, parse_json
from ordojo.datasets.schemas import Schema

READER = "or-debug-authors"
PREFIX = "or-debug@authors-c16b9eb/"
"""What the ids of the sets begin with, and of what the authors recorded (`catalogue.csv`)."""

_LARGEST = 1 << 28
"""Bytes of one unpacked document: sixty times the largest."""


def _check(row: Row) -> str:
    for column in SCHEMA.columns[:6]:
        if not isinstance(row[column], str):
            return f"has a '{column}' that is not text"
    objective = row["original_objective"]
    if isinstance(objective, bool) or not isinstance(objective, int | float):
        return "has an 'original_objective' that is no number"
    for column in SCHEMA.columns[7:]:
        names = row[column]
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            return f"has '{column}' that are no list of names"
    return ""


SCHEMA = Schema(
    name="or-debug-authors",
    columns=(
        *("problem_id", "model_file", "problem_nl", "error_type", "ground_truth_fix"),
        *("target_name", "original_objective", "iis_constraints", "iis_bounds"),
    ),
    check=_check,
    question=lambda row: str(row["problem_nl"]),
    answer=lambda row: str(row["ground_truth_fix"]),
    type_of=lambda row: str(row["error_type"]),
)
"""A problem of a set. There is nothing to choose from, and the answer is a repair."""


def rows_of(path: Path) -> list[dict[str, Any]]:
    """The problems, teaching records or episodes of a packed document; raises DataError."""
    try:
        found = parse_json(_unpacked(path))
        rows = next(found[key] for key in ("problems", "data", "results") if key in found)
        if isinstance(rows, list) and all(isinstance(row, dict) for row in rows):
            return rows
    except (ValueError, StopIteration, TypeError):
        pass
    raise DataError(f"{path} is not a document of problems or records; get it again")


def models_of(path: Path) -> Iterator[tuple[str, bytes]]:
    """The file name and content of every model of a packed folder; raises DataError."""
    for place, data in _members(path, "get it again"):
        yield place.name, data


def repack(archive: Path, path: str, out: Path) -> None:
    """Take a file, or the models of a folder, out of a repository's archive; raises DataError."""
    wanted, folder = tuple(path.split("/")), out.name.endswith(".tar.xz")

    def chosen(place: PurePosixPath) -> bool:
        # The archive has everything in a folder of its own.
        return (place.parts[1:-1] if folder else place.parts[1:]) == wanted

    found = {place.name: data for place, data in _members(archive, "delete it", chosen)}
    if not found:
        raise DataError(f"{archive} has no {path}; it is not of this revision")
    if not folder:
        out.write_bytes(lzma.compress(found[wanted[-1]]))
        return
    with tarfile.open(out, "w:xz") as packed:
        for name, data in sorted(found.items()):
            member = tarfile.TarInfo(f"models/{name}")
            member.size = len(data)
            packed.addfile(member, io.BytesIO(data))


def _members(
    path: Path, advice: str, chosen: Callable[[PurePosixPath], bool] = lambda place: True
) -> Iterator[tuple[PurePosixPath, bytes]]:
    """The files of a packed archive, each with its place in it; raises DataError."""
    try:
        with tarfile.open(path, "r|*") as members:
            for member in members:
                place = PurePosixPath(member.name)
                if member.isfile() and chosen(place) and (file := members.extractfile(member)):
                    yield place, file.read(_LARGEST)
    except (tarfile.TarError, lzma.LZMAError, EOFError, OSError) as error:
        raise DataError(f"{path} is damaged ({error}); {advice}") from None


def inner_hash(path: Path) -> str:
    """SHA-256 of what is packed: of a document, or of a folder's files with their names."""
    if path.name.endswith(".tar.xz"):
        return digest({name: hashlib.sha256(data).hexdigest() for name, data in models_of(path)})
    return hashlib.sha256(_unpacked(path)).hexdigest()


def count(path: Path) -> int:
    """How many models or rows a packed file has, or instances a built one."""
    if path.suffix == ".jsonl":
        return sum(1 for line in path.read_bytes().splitlines() if line.strip())
    if path.name.endswith(".tar.xz"):
        return sum(1 for _ in models_of(path))
    return len(rows_of(path))


def _unpacked(path: Path) -> bytes:
    try:
        with lzma.open(path) as file:
            return file.read(_LARGEST)
    except (lzma.LZMAError, EOFError) as error:
        raise DataError(f"{path} is damaged ({error}); get it again") from None
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror}; check its permissions") from None
