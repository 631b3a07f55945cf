"""OR-Debug-Bench as its authors published it: which files there are, and reading them.

A set is a JSON document of problems and a folder of MPS models. They are kept repacked, as
NAME.dataset.json.xz and NAME.models.tar.xz, and pinned by what is in them.
"""

import hashlib
import io
import lzma
import tarfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from ordojo.core.canonical import digest
from ordojo.core.errors import DataError
from ordojo.core.files import parse_json
from ordojo.datasets.schemas import Row, Schema
from ordojo.datasets.specs import DatasetSource, DatasetSpec, FileSpec

READER = "or-debug-authors"
PREFIX = "or-debug@authors-c16b9eb/"
_SOURCE = DatasetSource(
    "github", "Archer222arc/LLM-for-OR", "c16b9ebd58f38067ef244fe14bed069a45d72d59"
)
_LARGEST = 1 << 28
"""Bytes of one unpacked document: sixty times the largest."""


class _Authors(Schema):
    """A problem of a set. There is nothing to choose from, and the answer is a repair."""

    name = "or-debug-authors"
    columns = (
        "problem_id",
        "model_file",
        "problem_nl",
        "error_type",
        "ground_truth_fix",
        "target_name",
        "original_objective",
        "iis_constraints",
        "iis_bounds",
    )
    answers = ()

    def _value_problem(self, row: Row) -> str:
        for column in self.columns[:6]:
            if not isinstance(row[column], str):
                return f"has a '{column}' that is not text"
        objective = row["original_objective"]
        if isinstance(objective, bool) or not isinstance(objective, int | float):
            return "has an 'original_objective' that is no number"
        for column in self.columns[7:]:
            names = row[column]
            if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
                return f"has '{column}' that are no list of names"
        return ""

    def context(self, row: Row) -> str:
        return ""

    def question(self, row: Row) -> str:
        return str(row["problem_nl"])

    def options(self, row: Row) -> tuple[str, ...]:
        return ()

    def answer(self, row: Row) -> str:
        return str(row["ground_truth_fix"])

    def type_of(self, row: Row) -> str:
        return str(row["error_type"])


SCHEMA: Schema = _Authors()


def _file(split: str, path: str, local: str, rows: int, sha256: str) -> FileSpec:
    return FileSpec(split, path, rows, sha256, 0, local=local, repacked=True)


def _set(name: str, described: int, problems: str, held: int, models: str) -> DatasetSpec:
    folder = name.replace("-", "_")
    pool = "full" if name == "holdout" else folder
    base = "data/benchmarks/or_debug_bench_"
    return DatasetSpec(
        PREFIX + name,
        "or-debug-authors",
        SCHEMA,
        _SOURCE,
        "MIT by its README, without a licence file",
        (
            _file(
                "problems",
                f"{base}{folder}/dataset.json",
                f"{folder}.dataset.json.xz",
                described,
                problems,
            ),
            _file("models", f"{base}{pool}/models", f"{pool}.models.tar.xz", held, models),
        ),
        reader=READER,
    )


AUTHORS_SETS = (
    _set(
        "holdout",
        4162,
        "2947c296726aa275fbe98e71e0989eb4e591bf2c4f664a941fd299392517bd71",
        4462,
        "b3d26e199ff025a0158811082b1ece2afd663768ef71346caf313e97169033a9",
    ),
    _set(
        "v1",
        901,
        "aa79b5e4c3578d9e092863d4950b221d8b91c84b9064e4a24d9b5e8cd69f8f7c",
        901,
        "638cae06d87d6d10172c59a3a0bb932d8488d6f560af5935621a550289406067",
    ),
    _set(
        "hard",
        100,
        "3aae39a4af30a48d6c024d4493cdd1a281cb689fcb34766f3790e0cafe28026a",
        100,
        "b5dcd18badbc5914c287888a11a8227b255b97911bd1643a1a10ac2f2dab0f9c",
    ),
    _set(
        "hard-da",
        450,
        "1d79357de4c37ec6f141562747105551cf744c5c9c8007d945d88a323ad6d821",
        450,
        "b889aad696b032d633b120666cb3f603ed0bcb142ec3ec59cd0b1cafbdd34d1d",
    ),
    _set(
        "mdp",
        90,
        "f0edc39b14c1262427cee5565a3196f5050e9a31400a3de3a6c89b610df72887",
        90,
        "ca166b04305d3b53c2885b805a1c3092ae32482bb898f76876d3654557b98e70",
    ),
    _set(
        "mdp-v2",
        90,
        "ffd4e9f6a666a509a15a098a7b0b7df4379533911dffd989d48d67fd7fc0f9ed",
        90,
        "d68932c2e09a344968ed06e9dcdd711f9caf2b0e947e3e7bbc8b1ac906f2ce2a",
    ),
    _set(
        "test",
        74,
        "9f4f52994a2c189d49226bb9de3d3b50f9b247e874587daf6c1872275279ce44",
        74,
        "756ec70b8f0564c0f8ce83061a5194ee2e2748594b7a39cef89c07dca27b20a7",
    ),
    _set(
        "test-v2",
        88,
        "2734cafaf191a149e1e7827e774f156088bb93e1bd188619e715c43bbc3f2796",
        88,
        "3d6217d1020afedbb6e71e24a471dd220d2ed8de744d80cb2ac5c37e0d6ceb49",
    ),
    DatasetSpec(
        PREFIX + "recorded",
        "or-debug-authors",
        SCHEMA,
        _SOURCE,
        "MIT by its README, without a licence file",
        (
            _file(
                "heuristic",
                "data/training/sft_heuristic.json",
                "training.sft_heuristic.json.xz",
                4442,
                "fe8ae897755c01a9fc741e5fc34d2d471ad1421f632e63ad487c25ab2d92a33f",
            ),
            _file(
                "gpt-5.2-chat",
                "data/training/sft_gpt52chat.json",
                "training.sft_gpt52chat.json.xz",
                774,
                "6bfd2049c4c8151b75cd35de2b53c68e2cb1d3e1aa511700ef351a75b1850eb4",
            ),
            _file(
                "sft-200",
                "outputs/sft_eval_200.json",
                "recorded.sft_eval_200.json.xz",
                200,
                "5169872b6730a2c6d82de29a8c6a5d8e4a365c9f90aa72651bacdd8c5de7cc5b",
            ),
            _file(
                "grpo-200",
                "outputs/grpo_eval_200.json",
                "recorded.grpo_eval_200.json.xz",
                200,
                "eceb838a6240c35aaa498438948d25ec9dc1f2ea3df682b1f010e320ae4b74ce",
            ),
        ),
        reader=READER,
    ),
)
"""The authors' repository at c16b9eb: sets of problems, and what they recorded."""


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
    try:
        with tarfile.open(path, "r|*") as members:
            for member in members:
                if member.isfile() and (file := members.extractfile(member)) is not None:
                    yield PurePosixPath(member.name).name, file.read(_LARGEST)
    except (tarfile.TarError, lzma.LZMAError, EOFError, OSError) as error:
        raise DataError(f"{path} is damaged ({error}); get it again") from None


def repack(archive: Path, path: str, out: Path) -> None:
    """Take a file, or the models of a folder, out of a repository's archive; raises DataError."""
    wanted, folder = tuple(path.split("/")), out.name.endswith(".tar.xz")
    found: dict[str, bytes] = {}
    try:
        with tarfile.open(archive, "r|*") as members:
            for member in members:
                # The archive has everything in a folder of its own.
                place = PurePosixPath(member.name).parts[1:]
                if (place[:-1] if folder else place) != wanted or not member.isfile():
                    continue
                if (file := members.extractfile(member)) is not None:
                    found[place[-1]] = file.read(_LARGEST)
    except (tarfile.TarError, EOFError, OSError) as error:
        raise DataError(f"{archive} is damaged ({error}); delete it") from None
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
