"""Datasets in others' formats: a folder in the Hugging Face layout, or plain CSV."""

import csv
import hashlib
import io
import json
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from ordojo.core.benchmark import AnyBenchmark
from ordojo.core.canonical import Json
from ordojo.core.errors import DataError, UsageError
from ordojo.core.extras import need
from ordojo.core.files import read_bytes
from ordojo.core.instance import to_row
from ordojo.core.options import parse_options
from ordojo.core.outputs import whole_folder
from ordojo.core.registry import benchmark_of
from ordojo.core.rows import parse_file
from ordojo.datasets.registry import get_dataset, reader_of
from ordojo.datasets.rows import read_rows
from ordojo.datasets.store import locate

Format = Literal["hf", "csv"]
Splits = dict[str, list[dict[str, Json]]]

LICENCES = {
    "Apache-2.0": "apache-2.0",
    "MIT": "mit",
    "CC BY-SA 4.0": "cc-by-sa-4.0",
    "CC BY-NC-SA 4.0": "cc-by-nc-sa-4.0",
}
"""The hub's names of licences; any other one is "unknown" to it."""

TYPES = {"int64": "sc:Integer", "double": "sc:Float", "bool": "sc:Boolean"}
"""Croissant's names of Arrow's types; any other one is text."""

NAMES = """citeAs column equivalentProperty extract field fileObject fileProperty fileSet format
includes isLiveDataset jsonPath key md5 parentField path recordSet references regex repeated replace
samplingRate separator source subField transform"""
CONTEXT: dict[str, Json] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    **{name: f"cr:{name}" for name in NAMES.split()},
}
"""The names of Croissant 1.0."""


def export(
    dataset: str | Path | AnyBenchmark,
    out: Path,
    layout: Format,
    force: bool = False,
    settings: Mapping[str, Any] | None = None,
) -> Path:
    """Write a dataset's id, a file of built instances, or a benchmark's own to the folder `out`.

    Gives `out` back; `settings` are the benchmark's options.
    Raises UsageError for an unknown id, a missing library, or a folder that is not empty (`force`
    writes over its files of the same names), DataError where data are missing or `out` cannot be
    written; nothing is written then.
    """

    def files() -> dict[str, bytes]:
        splits, about = _read(dataset, settings or {})
        return _csv(splits) if layout == "csv" else _hub(splits, about)

    return replace_folder(out, force, files)


def push(folder: Path, repository: str) -> str:
    """Upload an exported folder to the Hugging Face hub as a private dataset; gives its address.

    The token is the hub's own way: $HF_TOKEN, or what `hf auth login` keeps. Raises UsageError
    without the library, DataError with what the hub said; the folder stays as it is.
    """
    need("export", "`push`", beside=("huggingface_hub",))
    from huggingface_hub import HfApi

    api = HfApi(endpoint=os.environ.get("HF_ENDPOINT"))
    try:
        address = api.create_repo(repository, repo_type="dataset", private=True, exist_ok=True)
        api.upload_folder(repo_id=repository, repo_type="dataset", folder_path=folder)
    # The errors of a refusal, of a name and of the transport differ by the library's version.
    except Exception as error:
        reason = str(error).strip().partition("\n")[0].rstrip(".")
        raise DataError(
            f"the hub refused {repository}: {reason}; check $HF_TOKEN and the name (OWNER/NAME). "
            f"{folder} is complete, and can be pushed again"
        ) from None
    return str(address)


def replace_folder(out: Path, force: bool, make: Callable[[], Mapping[str, bytes]]) -> Path:
    """Write the files that `make` gives, all or none, to the folder `out`; gives `out` back.

    Other files there are kept.

    Raises UsageError where `out` is a file, or not empty without `force`, DataError where it cannot
    be written.
    """
    if out.exists() and not out.is_dir():
        raise UsageError(f"{out} is a file; name a folder with `out`")
    if not force and out.exists() and any(out.iterdir()):
        raise UsageError(f"{out} is not empty; name another folder with `out`, or give `force`")
    files = make()
    with whole_folder(out, keep=True, advice="name another folder with `out`") as draft:
        for name, data in files.items():
            (draft / name).parent.mkdir(exist_ok=True)
            (draft / name).write_bytes(data)
    return out


def _read(
    target: str | Path | AnyBenchmark, settings: Mapping[str, Any]
) -> tuple[Splits, dict[str, str]]:
    """The rows of every split, flat enough for a table, and the dataset's facts."""
    if (benchmark := benchmark_of(target)) is not None:
        options = parse_options(benchmark.options, settings, benchmark.name)
        rows = [_flat(to_row(instance)) for instance in benchmark.load(options, 0)]
        about = {"licence": "", "source": f"{benchmark.title}, version {benchmark.version}"}
        return {"test": rows}, {**about, **benchmark.dataset(options)}
    if settings:
        raise UsageError(
            f"`options` belong to a benchmark, and to lm-eval and verifiers: {target} has the "
            "data, not how they are asked"
        )
    dataset = str(target)
    path = Path(dataset).expanduser()
    if path.suffix == ".jsonl":
        splits = {"test": [_flat(row) for _, row in parse_file(path)]}
        digest = hashlib.sha256(read_bytes(path)).hexdigest()
        source = "built with ordojo build"
        return splits, {"id": path.stem, "licence": "", "source": source, "sha256": digest}
    spec, reader = get_dataset(dataset), reader_of(dataset)
    found = reader.rows(dataset) if reader else None
    if found is None and spec.reader:
        raise UsageError(
            f"{dataset} holds models, which have no rows; export a file that `ordojo build` wrote"
        )
    if found is None:
        found = {file.split: read_rows(dataset, file.split) for file in spec.files}
    splits = {split: [_flat(row) for row in rows] for split, rows in found.items()}
    facts = {"id": dataset, "licence": spec.licence, "source": str(spec.source)}
    return splits, {**facts, "sha256": locate(dataset).sha256}


def _flat(row: Mapping[str, Any]) -> dict[str, Json]:
    """Objects, and lists of anything but texts, as JSON: rows of one dataset may differ in them."""
    return {
        name: value
        if isinstance(value, str | int | float | None)
        or (isinstance(value, list) and value and all(isinstance(one, str) for one in value))
        else json.dumps(value, ensure_ascii=False, sort_keys=True)
        for name, value in row.items()
    }


def _columns(rows: Sequence[Mapping[str, Json]]) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row))


def _csv(splits: Splits) -> dict[str, bytes]:
    files = {}
    for split, rows in splits.items():
        text = io.StringIO()
        writer = csv.DictWriter(text, _columns(rows), lineterminator="\n")
        writer.writeheader()
        for row in rows:
            cells = {k: json.dumps(v) if isinstance(v, list) else v for k, v in row.items()}
            writer.writerow(cells)
        files[f"{split}.csv"] = text.getvalue().encode("utf-8", "surrogatepass")
    return files


def _hub(splits: Splits, about: Mapping[str, str]) -> dict[str, bytes]:
    """Parquet by split, the card, and the metadata of Croissant 1.0."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    every = [row for rows in splits.values() for row in rows]
    columns = _columns(every)
    kinds = {
        name: kind
        for name in columns
        if len(kind := {type(row[name]) for row in every if row.get(name) is not None}) > 1
    }
    for row in every:  # a column has one type: of several, all are JSON
        for name in kinds.keys() & row.keys():
            row[name] = json.dumps(row[name], ensure_ascii=False)
    schema = pa.Table.from_pylist([{c: row.get(c) for c in columns} for row in every]).schema
    files: dict[str, bytes] = {}
    for split, rows in splits.items():
        sink = io.BytesIO()
        table = [{column: row.get(column) for column in columns} for row in rows]
        pq.write_table(pa.Table.from_pylist(table, schema=schema), sink)
        files[f"data/{split}.parquet"] = sink.getvalue()
    types = {field.name: str(field.type) for field in schema}
    croissant = _croissant(files, types, about)
    files["croissant.json"] = (json.dumps(croissant, indent=1) + "\n").encode()
    files["README.md"] = _card(splits, about).encode()
    return files


def _card(splits: Splits, about: Mapping[str, str]) -> str:
    paths = "".join(
        f"      - split: {split}\n        path: data/{split}.parquet\n" for split in splits
    )
    counts = "".join(f"| {split} | {len(rows):,} |\n" for split, rows in splits.items())
    return (
        f"---\nlicense: {LICENCES.get(about['licence'], 'unknown')}\npretty_name: "
        f"{json.dumps(about['id'])}\ntags: [operations-research]\nconfigs:\n"
        f"  - config_name: default\n    data_files:\n{paths}---\n\n# {about['id']}\n\n"
        f"- Source: {about['source']}\n- Licence: {about['licence'] or 'not stated'}\n"
        f"- SHA-256 of the source's files: {about['sha256']}\n"
        "- Exported by ordojo. Objects are texts of JSON. The terms of the source hold."
        f"\n\n| split | items |\n| --- | --- |\n{counts}"
    )


def _croissant(
    files: Mapping[str, bytes], types: Mapping[str, str], about: Mapping[str, str]
) -> dict[str, Json]:
    distribution: list[Json] = [
        {
            "@type": "cr:FileObject",
            "@id": name,
            "name": name,
            "contentUrl": name,
            "encodingFormat": "application/x-parquet",
            "sha256": hashlib.sha256(data).hexdigest(),
        }
        for name, data in files.items()
    ]
    records: list[Json] = [
        {
            "@type": "cr:RecordSet",
            "@id": (split := Path(name).stem),
            "name": split,
            "field": [
                {
                    "@type": "cr:Field",
                    "@id": f"{split}/{column}",
                    "name": f"{split}/{column}",
                    "dataType": TYPES.get(kind, "sc:Text"),
                    "repeated": kind.startswith("list"),
                    "source": {"fileObject": {"@id": name}, "extract": {"column": column}},
                }
                for column, kind in types.items()
            ],
        }
        for name in files
    ]
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": about["id"],
        "description": f"{about['id']}, from {about['source']}",
        "license": about["licence"] or "not stated",
        "version": about["sha256"][:12],
        "citeAs": about["source"],
        "distribution": distribution,
        "recordSet": records,
    }
