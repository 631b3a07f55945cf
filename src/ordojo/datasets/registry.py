"""The datasets there are: a versioned id, its source, pinned revision, hashes, counts, licence."""

import difflib
from dataclasses import asdict, dataclass
from pathlib import PurePosixPath
from typing import Literal

from ordojo.core.canonical import Json
from ordojo.core.errors import UsageError
from ordojo.datasets.schemas import ECONLOGICQA, ORQA, Schema


@dataclass(frozen=True)
class FileSpec:
    """One split's file: `path` in its source, and the `sha256` and `size` if they are pinned."""

    split: str
    path: str
    rows: int
    sha256: str = ""
    size: int = 0

    @property
    def name(self) -> str:
        """The source's own file name."""
        return PurePosixPath(self.path).name


@dataclass(frozen=True)
class Source:
    """Where a dataset comes from.

    `revision` is a commit: whole on GitHub, a prefix of it where no more is known. "shipped"
    files are in this package; "local" ones can only be put under $ORDOJO_DATA by hand.
    """

    kind: Literal["github", "huggingface", "shipped", "local"]
    repository: str = ""
    revision: str = ""

    def __str__(self) -> str:
        where = f"{self.repository}@{self.revision[:7]}" if self.repository else ""
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
    """One version of one dataset; `folder` is its place under $ORDOJO_DATA."""

    id: str
    folder: str
    schema: Schema
    source: Source
    licence: str
    files: tuple[FileSpec, ...]
    disputed: tuple[Disputed, ...] = ()

    @property
    def remedy(self) -> str:
        """How to get the dataset, as the end of a sentence."""
        names = ", ".join(file.name for file in self.files)
        match self.source.kind:
            case "shipped":
                return "install ordojo again"
            case "local":
                return (
                    f"put {names} into $ORDOJO_DATA/{self.folder}/ yourself: "
                    "it has no address to pull it from"
                )
            case _:
                return (
                    f"run: ordojo data pull {self.id} "
                    f"(or set ORDOJO_DATA to a folder with {self.folder}/{names})"
                )

    def to_json(self) -> dict[str, Json]:
        """The entry as plain JSON, the hash null where none is pinned."""
        return {
            "id": self.id,
            "format": self.schema.name,
            "licence": self.licence,
            "source": asdict(self.source),
            "files": [{**asdict(file), "sha256": file.sha256 or None} for file in self.files],
            "disputed": len(self.disputed),
        }

    def file(self, split: str) -> FileSpec:
        """The file of `split`; raises UsageError if there is no such split."""
        for file in self.files:
            if file.split == split:
                return file
        splits = ", ".join(file.split for file in self.files)
        raise UsageError(f"{self.id} has no split '{split}'; it has {splits}")


def dataset_ids() -> tuple[str, ...]:
    """Every dataset's id, in alphabetical order."""
    return tuple(sorted(DATASETS))


def get_dataset(dataset_id: str) -> DatasetSpec:
    """The dataset called `dataset_id`; raises UsageError, with the nearest id, if there is none."""
    if dataset_id not in DATASETS:
        near = difflib.get_close_matches(dataset_id, dataset_ids(), 1)
        hint = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(dataset_ids())}"
        raise UsageError(f"there is no dataset '{dataset_id}'; {hint}")
    return DATASETS[dataset_id]


def _ambiguous(row: int, twins: str, gold: str) -> Disputed:
    role = f"{gold}, the answer key, is one of them" if gold in twins else f"the key is {gold}"
    note = f"options {twins[0]} and {twins[1]} are identical; {role}"
    return Disputed("test", row, "ambiguous", note)


_OURS = Source("shipped")
_NON_COMMERCIAL = "CC BY-NC-SA 4.0"

DATASETS: dict[str, DatasetSpec] = {
    spec.id: spec
    for spec in (
        DatasetSpec(
            id="orqa@793beee",
            folder="orqa",
            schema=ORQA,
            source=Source("github", "nl4opt/ORQA", "793beee5d9bd8083a1c5eb6fc567ed088801e5fe"),
            licence="not stated",
            files=(
                FileSpec(
                    "test",
                    "dataset/ORQA_test.jsonl",
                    1468,
                    "1568ae5165e3cc0ae81efba844500b19cc156e0782d171f4e07fb422a3381703",
                    2431466,
                ),
                FileSpec(
                    "validation",
                    "dataset/ORQA_validation.jsonl",
                    45,
                    "9d2456bcc239a5527f8d7beb3da82249b82043df80405d73bc4485df1bf65ae2",
                    100230,
                ),
            ),
            disputed=(
                _ambiguous(298, "AC", "D"),
                _ambiguous(583, "AB", "A"),
                _ambiguous(994, "BC", "A"),
                _ambiguous(999, "AD", "B"),
                _ambiguous(1055, "CD", "C"),
                _ambiguous(1078, "BD", "B"),
                _ambiguous(1403, "CD", "A"),
            ),
        ),
        DatasetSpec(
            id="orqa@ordojo",
            folder="orqa",
            schema=ORQA,
            source=_OURS,
            licence="Apache-2.0",
            files=(
                FileSpec("test", "shipped/orqa/test.jsonl", 44),
                FileSpec("validation", "shipped/orqa/validation.jsonl", 33),
            ),
        ),
        DatasetSpec(
            id="econlogicqa@hf",
            folder="econlogicqa",
            schema=ECONLOGICQA,
            source=Source("huggingface", "yinzhu-quan/econ_logic_qa", "cf0de3d"),
            licence=_NON_COMMERCIAL,
            files=(
                FileSpec("train", "data/train.csv", 390),
                FileSpec("val", "data/val.csv", 130),
                FileSpec("test", "data/test.csv", 130),
            ),
        ),
        DatasetSpec(
            id="econlogicqa@hf-sample6",
            folder="econlogicqa",
            schema=ECONLOGICQA,
            source=Source("local"),
            licence=_NON_COMMERCIAL,
            files=(
                FileSpec(
                    "test",
                    "sample_6_of_test.csv",
                    6,
                    "6e90d48d048bc03b56eded2d312ccab9ab9c6b6bdeb1297f3df83803882e9046",
                    4051,
                ),
            ),
        ),
        DatasetSpec(
            id="econlogicqa@ordojo",
            folder="econlogicqa",
            schema=ECONLOGICQA,
            source=_OURS,
            licence="Apache-2.0",
            files=(
                FileSpec("test", "shipped/econlogicqa/test.csv", 36),
                FileSpec("train", "shipped/econlogicqa/train.csv", 12),
            ),
        ),
    )
}
