"""What is known of the datasets, every version of each: files, hashes, counts, source, licence.

They stand in `catalogue.csv`, a row for each file, and items whose key is in doubt in
`disputed.csv`. Those of kind "github" have a known address and can be pulled. The "local" ones are
folders, archives, or files whose address at their source is not known: they are put under
$ORDOJO_DATA by hand. `members` are patterns of file names in a folder (`FileSpec`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Literal

from ordojo.core.canonical import Json
from ordojo.core.errors import UsageError, meant
from ordojo.core.files import shipped_table
from ordojo.core.registry import benchmark_names, benchmark_of, get_benchmark
from ordojo.core.rows import parse_file
from ordojo.datasets.or_debug_authors import READER
from ordojo.datasets.schemas import KNOWN, Schema

if TYPE_CHECKING:  # with what it stands on it takes ten times as long as this module
    from ordojo.core.benchmark import AnyBenchmark


@dataclass(frozen=True)
class FileSpec:
    """One split's file: `path` in its source, and the `sha256` and `size` if they are pinned.

    With `members` it is a folder, and they are the patterns of the file names in it, at any depth,
    that belong to the dataset: others are neither hashed nor read. `local` is its name under the
    dataset's folder where that is not the source's own. A `repacked` one is compressed anew, so
    that its hash is that of what is in it.
    """

    split: str
    path: str
    rows: int
    sha256: str = ""
    size: int = 0
    members: tuple[str, ...] = ()
    local: str = ""
    repacked: bool = False

    @property
    def name(self) -> str:
        """The name on this machine."""
        return self.local or PurePosixPath(self.path).name


@dataclass(frozen=True)
class DatasetSource:
    """Where a dataset comes from.

    `revision` is a commit, or as much of its beginning as is known. "shipped" files are in this
    package; "local" ones can only be put under $ORDOJO_DATA by hand; "built" ones are what the
    command `repository` writes from the models of others.
    """

    kind: Literal["github", "huggingface", "shipped", "local", "built"]
    repository: str = ""
    revision: str = ""

    def __str__(self) -> str:
        where = f"{self.repository}@{self.revision[:7]}" if self.revision else self.repository
        return f"{self.kind} {where}".strip()


@dataclass(frozen=True)
class Disputed:
    """An item whose answer key is in doubt; `row` counts from 1."""

    split: str
    row: int
    status: str
    note: str


@dataclass(frozen=True)
class DatasetSpec:
    """One version of one dataset; `folder` is its place under $ORDOJO_DATA, empty for the top.

    `reader` names how natural-language problems are read (`ordojo.datasets.nl2opt`); it is empty
    where every row of a file is an item.
    """

    id: str
    folder: str
    schema: Schema
    source: DatasetSource
    licence: str
    files: tuple[FileSpec, ...]
    disputed: tuple[Disputed, ...] = ()
    reader: str = ""

    @property
    def name(self) -> str:
        """The dataset without its version."""
        return self.id.partition("@")[0]

    @property
    def remedy(self) -> str:
        """How to get the dataset, as the end of a sentence."""
        names = ", ".join(file.name for file in self.files)
        place = f"{self.folder}/" if self.folder else ""
        match self.source.kind:
            case "shipped":
                return "install ordojo again"
            case "built":
                return f"build it: {self.source.repository} -o $ORDOJO_DATA/{place}{names}"
            case "local":
                given = self.source.repository
                origin = f" (from {given} at {self.source.revision})" if given else ""
                return (
                    f"put {names} into $ORDOJO_DATA/{place} yourself{origin}: "
                    "it has no address to pull it from"
                )
            case _:
                return (
                    f"run: ordojo data pull {self.id} "
                    f"(or set ORDOJO_DATA to a folder with {place}{names})"
                )

    def to_json(self) -> dict[str, Json]:
        """The entry as plain JSON, the hash null where none is pinned."""
        return {
            "id": self.id,
            "format": self.schema.name,
            "licence": self.licence,
            "source": asdict(self.source),
            "files": [
                {**asdict(file), "sha256": file.sha256 or None, "members": list(file.members)}
                for file in self.files
            ],
            "disputed": len(self.disputed),
        }

    def file(self, split: str) -> FileSpec:
        """The file of `split`; raises UsageError if there is no such split."""
        for file in self.files:
            if file.split == split:
                return file
        splits = ", ".join(file.split for file in self.files)
        raise UsageError(f"{self.id} has no split '{split}'; it has {splits}")


def _sets() -> dict[str, DatasetSpec]:
    disputed: dict[str, list[Disputed]] = {}
    for row in shipped_table(__package__, "disputed.csv"):
        doubt = Disputed(row["split"], int(row["row"]), row["status"], row["note"])
        disputed.setdefault(row["id"], []).append(doubt)
    rows = shipped_table(__package__, "catalogue.csv")
    grouped = groupby(rows, lambda row: row["id"])
    return {key: _spec(list(files), disputed.get(key, ())) for key, files in grouped}


def _spec(rows: list[dict[str, Any]], disputed: Sequence[Disputed]) -> DatasetSpec:
    """The dataset whose files the rows are; what is not of one file is the same in all of them."""
    row = rows[0]
    return DatasetSpec(
        id=row["id"],
        folder=row["folder"],
        schema=KNOWN[row["schema"]],
        source=DatasetSource(row["kind"], row["repository"], row["revision"]),
        licence=row["licence"],
        files=tuple(_file(row) for row in rows),
        disputed=tuple(disputed),
        reader=row["reader"],
    )


def _file(row: Mapping[str, str]) -> FileSpec:
    return FileSpec(
        split=row["split"],
        path=row["address"] or row["name"],
        rows=int(row["items"]),
        sha256=row["sha256"],
        size=int(row["size"]),
        members=tuple(row["members"].split()),
        local=row["name"],
        repacked=row["reader"] == READER and row["name"].endswith(".xz"),
    )


DATASETS = _sets()


def dataset_ids() -> tuple[str, ...]:
    """Every dataset's id, in alphabetical order."""
    return tuple(sorted(DATASETS))


def get_dataset(dataset_id: str) -> DatasetSpec:
    """The dataset called `dataset_id`; raises UsageError, with near ids, if there is none."""
    if dataset_id not in DATASETS:
        home = f"{dataset_id.partition('@')[0]}@"
        family = [one for one in dataset_ids() if one.startswith(home)]
        hint = meant(dataset_id, family, 3, 0) or meant(dataset_id, dataset_ids())
        hint = hint or "`ordojo data list` names them"
        raise UsageError(f"there is no dataset '{dataset_id}'; {hint}")
    return DATASETS[dataset_id]


def versions(dataset_id: str) -> tuple[DatasetSpec, ...]:
    """All versions of the dataset that `dataset_id` is one of, itself among them."""
    name = get_dataset(dataset_id).name
    return tuple(DATASETS[key] for key in dataset_ids() if DATASETS[key].name == name)


def reader_of(dataset: str) -> "AnyBenchmark | None":
    """The first benchmark that reads a dataset's id, file or folder."""
    every = map(get_benchmark, benchmark_names())
    return next((one for one in every if one.reads(dataset) is not None), None)


def answered(dataset: "str | Path | AnyBenchmark") -> "tuple[AnyBenchmark, dict[str, str]]":
    """The benchmark that a dataset's id, file or folder belongs to, and the options that name it.

    A benchmark, or its name, is its own. A file of built instances names its benchmark; of
    everything else the benchmarks are asked. Raises DataError where the file cannot be read,
    UsageError where nobody takes the dataset.
    """
    if (named_so := benchmark_of(dataset)) is not None:
        return named_so, {}
    named = str(dataset)
    path = Path(named).expanduser()
    if path.suffix == ".jsonl" and path.is_file():
        name = str(parse_file(path)[0][1].get("benchmark", ""))
        if name:
            owner = get_benchmark(name)
            return owner, {owner.reads_by: named}
    if (reader := reader_of(named)) is not None:
        return reader, dict(reader.reads(named) or {})
    get_dataset(named)  # tells an unknown id
    raise UsageError(f"{named} has no items that a benchmark asks; see 'ordojo data list'")
