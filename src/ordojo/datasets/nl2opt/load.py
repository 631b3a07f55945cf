"""Every item of a dataset, by its id or by the path of one's own file or folder."""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from importlib import resources
from pathlib import Path

from ordojo.core.errors import DataError, UsageError
from ordojo.datasets.nl2opt.formats import (
    read_own,
    read_questions,
    read_results,
    read_samples,
    read_seeds,
    read_structured,
    read_summary,
)
from ordojo.datasets.nl2opt.instances import own_folder, read_folder, read_instances
from ordojo.datasets.nl2opt.items import Item
from ordojo.datasets.nl2opt.references import bench4opt, optibench
from ordojo.datasets.registry import dataset_ids, get_dataset
from ordojo.datasets.specs import DatasetSpec
from ordojo.datasets.store import locate

READERS: Mapping[str, Callable[[str, Path], list[Item]]] = {
    "questions": read_questions,
    "results": read_results,
    "summary": read_summary,
    "samples": read_samples,
    "structured": read_structured,
    "seeds": read_seeds,
    "instances": read_instances,
    "bench4opt": bench4opt("wp.txt"),
    "bench4opt-valid": bench4opt("wp.txt", valid_only=True),
    "bench4opt-concise": bench4opt("wp_concise.txt"),
    "optibench": optibench("wp_structured.txt"),
    "optibench-unstructured": optibench("wp_unstructured.txt"),
    "own": lambda dataset, path: read_own(dataset, path / "test.jsonl"),
}


def nl2opt_ids() -> tuple[str, ...]:
    """Every dataset of natural-language problems, in alphabetical order."""
    return tuple(key for key in dataset_ids() if get_dataset(key).reader)


def load_items(dataset: str) -> list[Item]:
    """All items of an id, hashes checked, or of one's own, in the source's order.

    One's own are a JSONL file, or `folder:PATH` for a folder of instance folders.

    Raises UsageError for an id of another kind; DataError if the data are not here or damaged.
    """
    if (folder := own_folder(dataset)) is not None:
        return read_folder(dataset, folder)
    if is_own(dataset):
        return _distinct(read_own(dataset, Path(dataset).expanduser().absolute()), dataset)
    spec = get_dataset(dataset)
    if not spec.reader:
        raise UsageError(
            f"{dataset} has {spec.schema.name} items where nl2opt items are needed; "
            f"use one of {', '.join(nl2opt_ids())}"
        )
    return read_items(spec, locate(dataset).files["test"].absolute())


def is_own(dataset: str) -> bool:
    """Whether a dataset is one's own, so that no id and hash are known of it."""
    return Path(dataset).suffix.lower() == ".jsonl" or own_folder(dataset) is not None


def read_items(spec: DatasetSpec, path: Path) -> list[Item]:
    """All items of a dataset whose file or folder is at `path`; raises DataError."""
    items = _distinct(READERS[spec.reader](spec.id, path), str(path))
    expected = spec.files[0].rows
    if len(items) != expected:
        raise DataError(
            f"{path} has {len(items)} items where {spec.id} has {expected}; "
            f"delete it and {spec.remedy}"
        )
    others = disputed().get(spec.id, {})
    return [_disputed(item, others[item.id]) if item.id in others else item for item in items]


def _disputed(item: Item, others: list[str]) -> Item:
    if item.status != "ok":
        return item
    return replace(item, status="disputed", reason=f"another gold in {', '.join(others)}")


@cache
def disputed() -> Mapping[str, Mapping[str, list[str]]]:
    """By dataset and item, the versions that give the same question another gold.

    Shipped, so that an item's status does not hang on which other versions are on the machine;
    `audit.disputes` finds them anew from the data.
    """
    table = resources.files("ordojo.datasets.nl2opt").joinpath("disputed.json")
    found: Mapping[str, Mapping[str, list[str]]] = json.loads(table.read_text("utf-8"))
    return found


def _distinct(items: list[Item], where: str) -> list[Item]:
    twice = [key for key, count in Counter(item.id for item in items).items() if count > 1]
    if twice:
        raise DataError(f"{where} has two items called '{twice[0]}'; give each its own id")
    return items
