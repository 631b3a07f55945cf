"""Reading datasets strictly: every row is checked, every fault has file and line."""

import glob
from pathlib import Path

from ordojo.core.canonical import digest
from ordojo.core.errors import DataError, UsageError
from ordojo.core.files import PARSERS, Row, parse_file
from ordojo.datasets.registry import DatasetSpec, FileSpec, dataset_ids, get_dataset
from ordojo.datasets.schemas import SCHEMAS, Schema
from ordojo.datasets.store import locate, sha256_of

SPLIT = "{split}"
"""What stands for the split's name in the path of one's own files."""


def read_rows(dataset: str, split: str, schema: str = "") -> list[Row]:
    """All rows of a split in file order; `dataset` is an id or the path of one's own file.

    A path is the "test" split, unless it has "{split}" in it, which then stands for the split's
    name: questions must not be their own few-shot examples. `schema`, a key of SCHEMAS, is the
    format that the caller needs; a path cannot do without. Raises UsageError or DataError.
    """
    if _is_path(dataset):
        if split != "test" and SPLIT not in dataset:
            raise UsageError(
                f"{dataset} is one file and has no split '{split}'; ask for 'test' with 0 shots, "
                f"or name one file a split, as in my_{SPLIT}.jsonl"
            )
        return read_file(Path(dataset.replace(SPLIT, split)).expanduser(), _schema(schema))
    spec = _fitting(dataset, schema)
    if spec.reader:
        raise UsageError(
            f"{dataset} holds problems, not rows; a benchmark of {spec.schema.name} loads them "
            "with load_items"
        )
    file = spec.file(split)
    return read_split(spec, file, locate(dataset).files[split])


def dataset_digest(dataset: str, schema: str = "") -> str:
    """One SHA-256 over all files of an id or of one's own path, as `read_rows` takes them.

    Raises UsageError or DataError.
    """
    if not _is_path(dataset):
        return locate(_fitting(dataset, schema).id).sha256
    path = Path(dataset).expanduser()
    files = sorted(path.parent.glob(glob.escape(path.name).replace(SPLIT, "*"))) or [path]
    return digest({file.name: sha256_of(file) for file in files})


def read_file(path: Path | str, schema: Schema) -> list[Row]:
    """All rows of any JSONL or CSV file in file order; raises DataError or UsageError."""
    return [checked(row, where, schema) for where, row in parse_file(Path(path))]


def read_split(spec: DatasetSpec, file: FileSpec, path: Path) -> list[Row]:
    """All rows of a dataset's file, found at `path`; raises DataError also for a wrong count."""
    rows = [checked(row, where, spec.schema) for where, row in parse_file(path, file.name)]
    if len(rows) != file.rows:
        raise DataError(
            f"{path} has {len(rows)} items where {spec.id} has {file.rows}; "
            f"delete it and {spec.remedy}"
        )
    return rows


def checked(row: Row, where: str, schema: Schema) -> Row:
    """The row itself; raises DataError if it does not fit the schema."""
    if problem := schema.problem(row):
        raise DataError(f"{where} {problem}; correct the file to the {schema.name} format")
    return row


def _is_path(dataset: str) -> bool:
    return Path(dataset).suffix.lower() in PARSERS


def _fitting(dataset: str, schema: str) -> DatasetSpec:
    """The registered dataset, if it has the needed format."""
    spec = get_dataset(dataset)
    if schema and _schema(schema) is not spec.schema:
        fitting = ", ".join(i for i in dataset_ids() if get_dataset(i).schema.name == schema)
        raise UsageError(
            f"{dataset} has {spec.schema.name} items where {schema} items are needed; "
            f"use one of {fitting}"
        )
    return spec


def _schema(name: str) -> Schema:
    if name not in SCHEMAS:
        raise UsageError(f"there is no row format '{name}'; there are {', '.join(SCHEMAS)}")
    return SCHEMAS[name]
