"""ORThought's summaries: an object by problem name, with types and sizes."""

import json
from pathlib import Path
from typing import Any

from ordojo.core.canonical import Json
from ordojo.core.errors import DataError
from ordojo.datasets.golds import read_key
from ordojo.datasets.nl2opt.items import Item
from ordojo.datasets.nl2opt.sources import Record, labels_of, need_text, read_json

DATA_NAME = "data.json"
"""The name under which a program finds a problem's parameters."""


def read_summary(dataset: str, path: Path) -> list[Item]:
    """One item a key; raises DataError."""
    records = read_json(path)
    if not isinstance(records, dict):
        raise DataError(f"{path} is not one JSON object; get the dataset again")
    return [_item(dataset, name, record, f"{path}, {name}") for name, record in records.items()]


def _item(dataset: str, name: str, record: Record, where: str) -> Item:
    sample = first_sample(record.get("sample"))
    key = read_key(sample_output(sample) if "sample" in record else record.get("ground_truth"))
    parameters = {k: _bare(v) for k, v in sample.get("input", {}).items()}
    details = record.get("details", {})
    size = (details["variables_num"], details["constraints_num"]) if details else None
    return Item(
        id=name,
        dataset=dataset,
        question=need_text(record, "description", where),
        golds=key.golds,
        status=key.status,
        reason=key.reason,
        labels=labels_of(
            record, difficulty="difficulty", type="problem_type", scale="problem_size"
        ),
        documents=data_document(parameters),
        notes={k: str(v["description"]) for k, v in sample.get("input", {}).items() if _told(v)},
        parameters=parameters,
        size=size,
    )


def first_sample(sample: Any) -> Record:
    """The one sample of a problem, in a list or bare; empty if there is none."""
    first = sample[0] if isinstance(sample, list) and sample else sample
    return first if isinstance(first, dict) else {}


def sample_output(sample: Record) -> Any:
    """The sample's objective; None if it has none."""
    output = sample.get("output")
    return output[0] if isinstance(output, list) and len(output) == 1 else None


def data_document(parameters: Record) -> dict[str, str]:
    """The parameters as the file that a program reads; none for none."""
    return {DATA_NAME: json.dumps(parameters, indent=1)} if parameters else {}


def _told(value: Any) -> bool:
    return isinstance(value, dict) and set(value) == {"value", "description"}


def _bare(value: Any) -> Json:
    bare: Json = value["value"] if _told(value) else value
    return bare
