"""The datasets, every version of each: natural-language optimization problems, and the others.

They stand in `catalogue.csv`, a row for each file. Those of kind "github" have a known address and
can be pulled. The "local" ones are folders, archives, or files whose address at their source is not
known: they are put under $ORDOJO_DATA by hand. `members` are patterns of file names in a folder
(`FileSpec`).
"""

import csv
import difflib
from collections.abc import Mapping
from importlib import resources
from itertools import groupby
from typing import Any

from ordojo.core.errors import UsageError
from ordojo.datasets.or_debug_authors import READER, SCHEMA
from ordojo.datasets.schemas import SCHEMAS
from ordojo.datasets.specs import DatasetSource, DatasetSpec, Disputed, FileSpec

_SCHEMAS = {**SCHEMAS, SCHEMA.name: SCHEMA}

_TWINS = (
    (298, "AC", "D"),
    (583, "AB", "A"),
    (994, "BC", "A"),
    (999, "AD", "B"),
    (1055, "CD", "C"),
    (1078, "BD", "B"),
    (1403, "CD", "A"),
)
"""Rows of ORQA's test split of which two options are identical: which two, and the key."""


def _ambiguous(row: int, twins: str, gold: str) -> Disputed:
    role = f"{gold}, the answer key, is one of them" if gold in twins else f"the key is {gold}"
    note = f"options {twins[0]} and {twins[1]} are identical; {role}"
    return Disputed("test", row, "ambiguous", note)


_DISPUTED = {"orqa@793beee": tuple(_ambiguous(*twins) for twins in _TWINS)}


def _sets() -> dict[str, DatasetSpec]:
    table = resources.files("ordojo.datasets").joinpath("catalogue.csv")
    rows = csv.DictReader(table.read_text("utf-8").splitlines())
    return {key: _spec(list(files)) for key, files in groupby(rows, lambda row: row["id"])}


def _spec(rows: list[dict[str, Any]]) -> DatasetSpec:
    """The dataset whose files the rows are; what is not of one file is the same in all of them."""
    row = rows[0]
    return DatasetSpec(
        id=row["id"],
        folder=row["folder"],
        schema=_SCHEMAS[row["schema"]],
        source=DatasetSource(row["kind"], row["repository"], row["revision"]),
        licence=row["licence"],
        files=tuple(_file(row) for row in rows),
        disputed=_DISPUTED.get(row["id"], ()),
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
        near = difflib.get_close_matches(dataset_id, family, 3, 0)
        near = near or difflib.get_close_matches(dataset_id, dataset_ids(), 1)
        meant = " or ".join(f"'{one}'" for one in near)
        hint = f"did you mean {meant}?" if near else "`ordojo data list` names them"
        raise UsageError(f"there is no dataset '{dataset_id}'; {hint}")
    return DATASETS[dataset_id]


def versions(dataset_id: str) -> tuple[DatasetSpec, ...]:
    """All versions of the dataset that `dataset_id` is one of, itself among them."""
    name = get_dataset(dataset_id).name
    return tuple(DATASETS[key] for key in dataset_ids() if DATASETS[key].name == name)
