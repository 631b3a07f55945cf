"""A session's folder: the partition that it starts from, and the edits that its journal leaves."""

from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from ordojo.core.errors import DataError, UsageError
from ordojo.core.journal import Journal, Row
from ordojo.structure.flat import Flat
from ordojo.structure.grouping import Partition, partition
from ordojo.structure.workbench.edits import Change, read_edit

VERSION = 1
FOUND = "partition.npz"


def start(journal: Journal, flat: Flat, digest: str, name: str) -> Partition:
    """The partition before the first edit, kept so that a better one later changes no session.

    Raises DataError where the journal's folder is another model's, or damaged.
    """
    path = journal.path.with_name(FOUND)
    if journal.rows:
        head = journal.rows[0]
        if head.get("workbench") != VERSION or head.get("digest") != digest:
            raise DataError(
                f"{path.parent} holds the edits of another model: choose another --folder"
            )
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
                groups, families = (kept[k].astype(np.int64) for k in ("groups", "families"))
                named = [bool(flag) for flag in kept["named"]]
        except (OSError, ValueError, KeyError, BadZipFile) as error:
            raise DataError(f"{path} is damaged ({error}); restore it from a copy") from None
        if (len(groups), len(families), len(named)) != (flat.n, flat.m, 2):
            raise DataError(f"{path} is of another model; restore it from a copy")
        return Partition(groups, families, *named)
    found = partition(flat)
    named = [found.cols_named, found.rows_named]
    try:
        np.savez_compressed(path, groups=found.groups, families=found.families, named=named)
    except OSError as error:
        raise DataError(
            f"cannot write {path}: {error.strerror}; free the disk or choose another --folder"
        ) from None
    journal.append({"workbench": VERSION, "digest": digest, "model": name})
    return found


def replayed(rows: list[Row], path: Path) -> tuple[list[Change], int]:
    """The edits that a journal leaves, and how many of them hold."""
    edits: list[Change] = []
    at = 0
    for number, row in enumerate(rows, 2):
        try:
            if "edit" in row:
                edits = [*edits[:at], read_edit(row["edit"])]
                at += 1
            elif "drop" in row:
                at -= 1
                edits = edits[:at]
            else:
                at += 1 if "redo" in row else -1
            wrong = not 0 <= at <= len(edits)
        except UsageError:
            wrong = True
        if wrong:
            raise DataError(f"{path}:{number} is no step of these edits; restore it from a copy")
    return edits, at
