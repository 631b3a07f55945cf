"""Loading natural-language problems by a dataset's id, or one's own: `load_items`.

First the readers of folders: MIPLIB-NL's instances and one's own, and the reference models of
Bench4Opt and OptiBench. `formats.py` has the readers of files.
"""

import csv
import json
import posixpath
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from importlib import resources
from math import inf
from pathlib import Path
from typing import Any

from ordojo.core.errors import DataError, UsageError
from ordojo.core.files import read_bytes, shipped_table
from ordojo.core.words import amount
from ordojo.datasets.golds import GoldAnswer, Key, read_key
from ordojo.datasets.nl2opt.formats import (
    DATA_NAME,
    DamagedError,
    Record,
    folders_in,
    is_quadratic,
    need,
    need_text,
    read_json,
    read_own,
    read_questions,
    read_results,
    read_samples,
    read_seeds,
    read_structured,
    read_summary,
    read_text,
)
from ordojo.datasets.nl2opt.items import ProblemItem, Status
from ordojo.datasets.registry import DatasetSpec, dataset_ids, get_dataset
from ordojo.datasets.store import locate, unpacked

INSTANCE = "instance.json"

PLACEHOLDER = re.compile(r"\{(\w+)\}")

RATIOS = {"markshare_5_0": ("data/markets.csv", "target_units")}
"""Texts that ask for a ratio whose numerator is the gold: where its denominator is summed from."""

ORIGIN = "miplib-nl"
"""Key in `metadata` of a record that was written from a published instance: its name there."""

OPEN = {"sorrell7": "a new record was set for it in 2024 (Local-MIP, CP 2024)"}
"""Instances known to be open. The paper counts 15, and the files mark none."""


def read_instances(dataset: str, path: Path) -> list[ProblemItem]:
    """One item a folder, of an unpacked copy or of the archive; raises DataError.

    An instance whose files are not all there is "incomplete": it is refused by name.
    """
    return [read_instance(dataset, folder) for folder in _published_folders(path)]


def _published_folders(path: Path) -> list[Path]:
    root = path if path.is_dir() else unpacked(path) / "dataset"
    if not root.is_dir():
        raise DataError(f"{path} has no folder 'dataset'; get the archive again")
    return folders_in(root)


def instance_folders(dataset: str) -> Mapping[str, Path]:
    """The folder of each instance of a dataset in MIPLIB-NL's form, or of `folder:PATH`.

    Raises UsageError for data of another form, DataError where they are not here.
    """
    if (own := own_folder(dataset)) is not None:
        folders = _own_folders(own)
    elif is_own(dataset) or get_dataset(dataset).reader != "instances":
        raise UsageError(f"{dataset} has no instance folders; name miplib-nl@..., or a folder")
    else:
        folders = _published_folders(locate(dataset).files["test"].absolute())
    return {folder.name: folder for folder in folders}


def read_instance(dataset: str, folder: Path, published: bool = True) -> ProblemItem:
    """The item of one instance folder; raises DataError.

    What is known of MIPLIB-NL's own instances by their names counts where `published`, or where the
    record says that it was written from one (`ORIGIN`).
    """
    name = folder.name
    if not (folder / INSTANCE).is_file():
        reason = f"{INSTANCE} of {name} is not there"
        return ProblemItem(name, dataset, "", (GoldAnswer("unknown"),), "incomplete", reason)
    record = read_json(folder / INSTANCE)
    where = str(folder / INSTANCE)
    parameters = need(record, "parameters", where)
    listed = _listed(record.get("files") or {}, where)
    absent = [path for path in listed if not _inside(folder, path)]
    key = read_key(need(record, "optimal_value", where))
    known = name if published else _origin(record)
    status, reason, golds = _status(known, folder, key, absent)
    question = need_text(record, "abstract_problem", where)
    unbound = sorted(set(PLACEHOLDER.findall(question)) - set(parameters))
    # The source's file holds the gold, so programs are given one without it.
    told = {
        key: record[key] for key in ("abstract_problem", "parameters", "files") if key in record
    }
    return ProblemItem(
        id=name,
        dataset=dataset,
        question=question,
        golds=golds,
        status=status,
        reason=reason,
        labels={
            "formulation": "yes" if (folder / "model.md").is_file() else "no",
            **({"unbound": ", ".join(unbound)} if unbound else {}),
        },
        files={path: folder / path for path in listed if path not in absent},
        documents={INSTANCE: json.dumps(told, indent=1, ensure_ascii=False)},
        notes=listed,
        parameters=parameters,
        size=sizes().get(name) if published else _stated_size(record),
        compression=None if published else _stated_compression(folder),
    )


def _origin(record: Record) -> str:
    metadata = record.get("metadata")
    return str(metadata.get(ORIGIN, "")) if isinstance(metadata, dict) else ""


def _stated_size(record: Record) -> tuple[int, int] | None:
    """What an exported instance says of itself, None where it says nothing that can be."""
    try:
        size = record["metadata"]["size"]
        found = int(size["variables"]), int(size["constraints"])
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    return found if min(found) > 0 else None


def _stated_compression(folder: Path) -> float | None:
    file = folder / "logs" / "summary.json"
    stated = read_json(file) if file.is_file() else None
    ratio = stated.get("compression") if isinstance(stated, dict) else None
    if isinstance(ratio, bool) or not isinstance(ratio, int | float):
        return None
    return float(ratio) if 0 < ratio < inf else None


def _status(
    name: str, folder: Path, key: Key, absent: list[str]
) -> tuple[Status, str, tuple[GoldAnswer, ...]]:
    if absent:
        return "incomplete", f"{', '.join(absent)} of {folder.name} is not there", key.golds
    if key.status == "ok" and name in OPEN:
        return "open", OPEN[name], key.golds
    if key.status == "ok" and name in RATIOS:
        table, column = RATIOS[name]
        ratio = _ratio(key.golds[0], folder / table, column)
        return "ratio", f"the gold is the numerator of {ratio.note}", (*key.golds, ratio)
    return key.status, key.reason, key.golds


def _ratio(gold: GoldAnswer, table: Path, column: str) -> GoldAnswer:
    """The ratio that the text asks for; raises DataError if the table lacks the column."""
    try:
        rows = csv.DictReader(read_bytes(table).decode("utf-8-sig").splitlines())
        total = sum(float(row[column]) for row in rows)
        value = (gold.value or 0.0) / total
    except (OSError, KeyError, TypeError, ValueError, ZeroDivisionError) as error:
        raise DamagedError(f"{table} has no numbers in '{column}' ({error})") from None
    return GoldAnswer("number", value, repr(value), f"{gold.text} of {total:g}, as the text asks")


def _listed(files: Any, where: str) -> dict[str, str]:
    """The paths of an instance's files with their descriptions; './data/x.csv' is 'data/x.csv'."""
    if not isinstance(files, dict):
        raise DamagedError(f"{where} has 'files' that are no object")
    found: dict[str, str] = {}
    for key, entry in files.items():
        if not isinstance(entry, dict) or not isinstance(entry.get("path"), str):
            raise DamagedError(f"{where} has no path for its file '{key}'")
        found[posixpath.normpath(entry["path"])] = str(entry.get("description", ""))
    return found


def _inside(folder: Path, path: str) -> bool:
    """Whether there is such a file, and in the instance's own folder."""
    full = (folder / path).resolve()
    return full.is_relative_to(folder.resolve()) and full.is_file()


@cache
def sizes() -> Mapping[str, tuple[int, int]]:
    """(variables, constraints) of 78 instances, by name: of the reference program, else of MIPLIB.

    Of the others no size is known here: the dataset itself states none.
    """
    rows = shipped_table(__package__, "miplib_nl_sizes.csv")
    return {row["name"]: (int(row["variables"]), int(row["constraints"])) for row in rows}


PREFIX = "folder:"


def own_folder(dataset: str) -> Path | None:
    """The folder that `folder:PATH` names, None for another kind of dataset."""
    if not dataset.startswith(PREFIX):
        return None
    path = dataset.removeprefix(PREFIX)
    if not path:
        raise UsageError(f"'{PREFIX}' names no folder; write {PREFIX}PATH")
    return Path(path).expanduser().absolute()


def read_folder(dataset: str, path: Path) -> list[ProblemItem]:
    """One item for each folder with an instance.json in `path`, or the one that `path` is.

    Raises DataError where there is none, and for a record that is damaged. Folders whose names
    begin with a dot are drafts and are passed over.
    """
    folders = _own_folders(path)
    try:
        return [read_instance(dataset, folder, published=False) for folder in folders]
    except DamagedError as error:
        raise DamagedError(error.damage, "write the instance again") from None


def _own_folders(path: Path) -> list[Path]:
    if not path.is_dir():
        raise DataError(f"{path} is no folder; name a folder of instance folders")
    folders = [path] if (path / INSTANCE).is_file() else folders_in(path)
    folders = [folder for folder in folders if not folder.name.startswith(".")]
    if not any((folder / INSTANCE).is_file() for folder in folders):
        raise DataError(f"no folder in {path} has an {INSTANCE}; name a folder of instances")
    return folders


FOLDER = re.compile(
    r"(?P<class>.+?)_\[(?P<domain>.+?)\](_\[(?P<variant>var\d+)\]|_(?P<other>\w+))?"
)

CERTIFIABLE = {
    "wl_det_list": "Weisfeiler-Lehman determinable",
    "sym_decom_list": "symmetric decomposable",
}
"""Lists of models on which the source's own test of equivalence is sound."""


_FAMILIES = ("LP", "MILP")


def read_folders(
    dataset: str, path: Path, *, text: str, packed: bool = False, valid_only: bool = False
) -> list[ProblemItem]:
    """One item a folder that has the `text` asked; raises DataError for a folder of another kind.

    `packed` is OptiBench's archive, else it is Bench4Opt's folders: perhaps only those that its
    valid lists name.
    """
    valid = {} if packed else _valid(path)
    root, ending = (unpacked(path), "_selected") if packed else (path, "")
    model = "reference_answer.lp" if packed else "model.lp"
    items = [
        _item(dataset, folder, family, text, model, valid.get(folder.name))
        for family in _FAMILIES
        for problem_class in folders_in(root / f"{family}{ending}")
        for folder in folders_in(problem_class)
        if (folder / text).is_file()
    ]
    return [item for item in items if not valid_only or item.id in valid]


def _item(
    dataset: str, folder: Path, family: str, text: str, model: str, certifiable: str | None
) -> ProblemItem:
    match = FOLDER.fullmatch(folder.name)
    if match is None:
        raise DamagedError(f"{folder} is not named 'class_[domain]_[variant]'")
    absent = [name for name in (model, DATA_NAME) if not (folder / name).is_file()]
    labels = {key: value for key, value in match.groupdict().items() if key != "other" and value}
    if certifiable:
        labels["certifiable"] = certifiable
    if not absent and is_quadratic(read_text(folder / model)):
        labels["degree"] = "quadratic"
    return ProblemItem(
        id=folder.name,
        dataset=dataset,
        question=read_text(folder / text),
        golds=(),
        status="incomplete" if absent else "ok",
        reason=f"{', '.join(absent)} of {folder.name} is not there" if absent else "",
        labels={"type": family, **labels},
        files={} if absent else {DATA_NAME: folder / DATA_NAME},
        parameters={} if absent else read_json(folder / DATA_NAME),
        reference_model=None if absent else folder / model,
    )


def _valid(path: Path) -> dict[str, str]:
    """The problems that the source's valid lists name, with how equivalence can be certified."""
    found: dict[str, str] = {}
    for family in _FAMILIES:
        for entry in read_json(path / "valid_problem_list" / f"{family}_valid_problem_list.json"):
            for lists in entry.values():
                found |= dict.fromkeys(lists["path_list"], "no")
                for name, meaning in CERTIFIABLE.items():
                    found |= dict.fromkeys(lists[name], meaning)
    return found


READERS: Mapping[str, Callable[[str, Path], list[ProblemItem]]] = {
    "questions": read_questions,
    "results": read_results,
    "summary": read_summary,
    "samples": read_samples,
    "structured": read_structured,
    "seeds": read_seeds,
    "instances": read_instances,
    "bench4opt": partial(read_folders, text="wp.txt"),
    "bench4opt-valid": partial(read_folders, text="wp.txt", valid_only=True),
    "bench4opt-concise": partial(read_folders, text="wp_concise.txt"),
    "optibench": partial(read_folders, text="wp_structured.txt", packed=True),
    "optibench-unstructured": partial(read_folders, text="wp_unstructured.txt", packed=True),
    "own": lambda dataset, path: read_own(dataset, path / "test.jsonl"),
}


def nl2opt_ids() -> tuple[str, ...]:
    """Every dataset of natural-language problems, in alphabetical order."""
    return tuple(key for key in dataset_ids() if get_dataset(key).reader in READERS)


def load_items(dataset: str) -> list[ProblemItem]:
    """All items of an id, hashes checked, or of one's own, in the source's order.

    One's own are a JSONL file, or `folder:PATH` for a folder of instance folders.

    Raises UsageError for an id of another kind; DataError if the data are not here or damaged.
    """
    if (folder := own_folder(dataset)) is not None:
        return read_folder(dataset, folder)
    if is_own(dataset):
        return _distinct(read_own(dataset, Path(dataset).expanduser().absolute()), dataset)
    spec = get_dataset(dataset)
    if spec.reader not in READERS:
        raise UsageError(
            f"{dataset} has {spec.schema.name} items where nl2opt items are needed; "
            f"use one of {', '.join(nl2opt_ids())}"
        )
    return read_items(spec, locate(dataset).files["test"].absolute())


def is_own(dataset: str) -> bool:
    """Whether a dataset is one's own, so that no id and hash are known of it."""
    return Path(dataset).suffix.lower() == ".jsonl" or own_folder(dataset) is not None


def read_items(spec: DatasetSpec, path: Path) -> list[ProblemItem]:
    """All items of a dataset whose file or folder is at `path`; raises DataError."""
    items = _distinct(READERS[spec.reader](spec.id, path), str(path))
    expected = spec.files[0].rows
    if len(items) != expected:
        raise DataError(
            f"{path} has {amount(len(items), 'item')} where {spec.id} has {expected}; "
            f"delete it and {spec.remedy}"
        )
    others = disputed().get(spec.id, {})
    return [_disputed(item, others[item.id]) if item.id in others else item for item in items]


def _disputed(item: ProblemItem, others: list[str]) -> ProblemItem:
    if item.status != "ok":
        return item
    return replace(item, status="disputed", reason=f"another gold in {', '.join(others)}")


@cache
def disputed() -> Mapping[str, Mapping[str, list[str]]]:
    """By dataset and item, the versions that give the same question another gold.

    Shipped, so that an item's status does not hang on which other versions are on the machine;
    the comparisons of `audit.audit_items` are the same found in the data.
    """
    table = resources.files("ordojo.datasets.nl2opt").joinpath("disputed.json")
    found: Mapping[str, Mapping[str, list[str]]] = json.loads(table.read_text("utf-8"))
    return found


def _distinct(items: list[ProblemItem], where: str) -> list[ProblemItem]:
    twice = [key for key, count in Counter(item.id for item in items).items() if count > 1]
    if twice:
        raise DataError(f"{where} has two items called '{twice[0]}'; give each its own id")
    return items
