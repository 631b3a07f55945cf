"""Reading JSONL and CSV files strictly: every row is checked, every fault has file and line.

Files of built instances, too, one instance a line.
"""

import csv
import glob
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from ordojo.core.canonical import Json, digest
from ordojo.core.errors import DataError, UsageError
from ordojo.core.files import parse_json, read_bytes
from ordojo.core.instance import Instance
from ordojo.datasets.registry import DatasetSpec, FileSpec, dataset_ids, get_dataset
from ordojo.datasets.schemas import SCHEMAS, Row, Schema
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


def parse_file(path: Path, name: str = "") -> list[tuple[str, Row]]:
    """Every row of a file with its "file:line"; the suffix of `name`, or of `path`, tells how.

    Raises DataError for a file that cannot be read, decoded or parsed, or has no rows, and
    UsageError for one that is neither JSONL nor CSV.
    """
    suffix = Path(name or path.name).suffix.lower()
    if suffix not in PARSERS:
        raise UsageError(f"{path} is neither a .jsonl nor a .csv file; convert it to one of them")
    try:
        data = read_bytes(path)
    except FileNotFoundError:
        raise DataError(f"there is no file {path}; check the path") from None
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror}; check its permissions") from error
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DataError(f"{path}:{line} is not UTF-8; save the file as UTF-8") from None
    rows = [(f"{path}:{line}", row) for line, row in PARSERS[suffix](text, path)]
    if not rows:
        raise DataError(f"{path} has no rows; give a file with at least one item")
    return rows


def json_lines(text: str, path: Path, advice: str) -> Iterator[tuple[int, Any]]:
    """The value of each line with its number; raises DataError, with the advice, for a torn one."""
    # Not splitlines: JSON texts may hold U+2028 and its like.
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield number, parse_json(line)
            except ValueError as error:
                raise DataError(
                    f"{path}:{number} is not a whole JSON object ({error}); {advice}"
                ) from None


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


def _parse_jsonl(text: str, path: Path) -> Iterator[tuple[int, Row]]:
    for number, row in json_lines(text, path, "the file may be cut off there: get it again"):
        if not isinstance(row, dict):
            raise DataError(f"{path}:{number} is not a JSON object; give one object a line")
        yield number, row


def _parse_csv(text: str, path: Path) -> Iterator[tuple[int, Row]]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    header: list[str] | None = None
    number = 1
    try:
        for cells in reader:
            if header is None:
                header = cells
            elif cells and len(cells) != len(header):
                raise DataError(
                    f"{path}:{number} has {len(cells)} cells where the header has {len(header)}; "
                    "check its quotes and commas"
                )
            elif cells:
                yield number, dict(zip(header, cells, strict=True))
            number = reader.line_num + 1
    except csv.Error as error:
        raise DataError(
            f"{path}:{number} is not valid CSV ({error}); check its quotes and commas"
        ) from None


PARSERS: dict[str, Callable[[str, Path], Iterator[tuple[int, Row]]]] = {
    ".jsonl": _parse_jsonl,
    ".csv": _parse_csv,
}


P = TypeVar("P")


def read_instances(
    path: Path, benchmark: str, read: Callable[[Mapping[str, Json]], Instance[P]]
) -> list[Instance[P]]:
    """Every instance of a built file, in order; raises DataError with field and file:line."""
    return collect(parse_file(path), benchmark, read)


def collect(
    rows: Iterable[tuple[str, Mapping[str, Json]]],
    benchmark: str,
    read: Callable[[Mapping[str, Json]], Instance[P]],
) -> list[Instance[P]]:
    """The instances of rows, each with the place that errors name; raises DataError."""
    found: dict[str, Instance[P]] = {}
    for where, row in rows:
        if row.get("benchmark") != benchmark:
            raise DataError(f"{where}: benchmark is {row.get('benchmark')!r}, not '{benchmark}'")
        try:
            instance = read(row)
        except DataError as error:
            raise DataError(f"{where}: {error}") from None
        if instance.id in found:
            raise DataError(f"{where}: id {instance.id} stands in the file twice")
        found[instance.id] = instance
    return list(found.values())
