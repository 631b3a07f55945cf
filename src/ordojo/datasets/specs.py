"""What is known of a dataset: its files, their hashes and counts, its source and licence."""

from dataclasses import asdict, dataclass
from pathlib import PurePosixPath
from typing import Literal

from ordojo.core.canonical import Json
from ordojo.core.errors import UsageError
from ordojo.datasets.schemas import Schema


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
