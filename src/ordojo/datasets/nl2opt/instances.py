"""MIPLIB-NL: text with named parameters, and tables in CSV files."""

import csv
import json
import posixpath
import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from ordojo.core.errors import DataError, UsageError
from ordojo.datasets.archives import unpacked
from ordojo.datasets.golds import Gold, Key, read_key
from ordojo.datasets.nl2opt.items import Item, Status
from ordojo.datasets.nl2opt.sources import folders_in, need, need_text, read_json

INSTANCE = "instance.json"

PLACEHOLDER = re.compile(r"\{(\w+)\}")

RATIOS = {"markshare_5_0": ("data/markets.csv", "target_units")}
"""Texts that ask for a ratio whose numerator is the gold: where its denominator is summed from."""

OPEN = {"sorrell7": "a new record was set for it in 2024 (Local-MIP, CP 2024)"}
"""Instances known to be open. The paper counts 15, and the files mark none."""


def read_instances(dataset: str, path: Path) -> list[Item]:
    """One item a folder, of an unpacked copy or of the archive; raises DataError.

    An instance whose files are not all there is "incomplete": it is refused by name.
    """
    root = path if path.is_dir() else unpacked(path) / "dataset"
    if not root.is_dir():
        raise DataError(f"{path} has no folder 'dataset'; get the archive again")
    return [read_instance(dataset, folder) for folder in folders_in(root)]


def read_instance(dataset: str, folder: Path, published: bool = True) -> Item:
    """The item of one instance folder; raises DataError.

    What is known of MIPLIB-NL's own instances by their names counts only where `published`.
    """
    name = folder.name
    if not (folder / INSTANCE).is_file():
        reason = f"{INSTANCE} of {name} is not there"
        return Item(name, dataset, "", (Gold("unknown"),), "incomplete", reason)
    record = read_json(folder / INSTANCE)
    where = str(folder / INSTANCE)
    parameters = need(record, "parameters", where)
    listed = _listed(record.get("files") or {}, where)
    absent = [path for path in listed if not _inside(folder, path)]
    key = read_key(need(record, "optimal_value", where))
    status, reason, golds = _status(name if published else "", folder, key, absent)
    question = need_text(record, "abstract_problem", where)
    unbound = sorted(set(PLACEHOLDER.findall(question)) - set(parameters))
    # The source's file holds the gold, so programs are given one without it.
    told = {
        key: record[key] for key in ("abstract_problem", "parameters", "files") if key in record
    }
    return Item(
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
        size=sizes().get(name) if published else None,
    )


def _status(
    name: str, folder: Path, key: Key, absent: list[str]
) -> tuple[Status, str, tuple[Gold, ...]]:
    if absent:
        return "incomplete", f"{', '.join(absent)} of {folder.name} is not there", key.golds
    if key.status == "ok" and name in OPEN:
        return "open", OPEN[name], key.golds
    if key.status == "ok" and name in RATIOS:
        table, column = RATIOS[name]
        ratio = _ratio(key.golds[0], folder / table, column)
        return "ratio", f"the gold is the numerator of {ratio.note}", (*key.golds, ratio)
    return key.status, key.reason, key.golds


def _ratio(gold: Gold, table: Path, column: str) -> Gold:
    """The ratio that the text asks for; raises DataError if the table lacks the column."""
    try:
        with table.open(encoding="utf-8-sig", newline="") as stream:
            total = sum(float(row[column]) for row in csv.DictReader(stream))
        value = (gold.value or 0.0) / total
    except (OSError, KeyError, TypeError, ValueError, ZeroDivisionError) as error:
        raise DataError(
            f"{table} has no numbers in '{column}' ({error}); get the dataset again"
        ) from None
    return Gold("number", value, repr(value), f"{gold.text} of {total:g}, as the text asks")


def _listed(files: Any, where: str) -> dict[str, str]:
    """The paths of an instance's files with their descriptions; './data/x.csv' is 'data/x.csv'."""
    if not isinstance(files, dict):
        raise DataError(f"{where} has 'files' that are no object; get the dataset again")
    found: dict[str, str] = {}
    for key, entry in files.items():
        if not isinstance(entry, dict) or not isinstance(entry.get("path"), str):
            raise DataError(f"{where} has no path for its file '{key}'; get the dataset again")
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
    table = resources.files("ordojo.datasets.nl2opt").joinpath("miplib_nl_sizes.csv")
    rows = csv.DictReader(table.read_text("utf-8").splitlines())
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


def read_folder(dataset: str, path: Path) -> list[Item]:
    """One item for each folder with an instance.json in `path`, or the one that `path` is.

    Raises DataError where there is none, and for a record that is damaged. Folders whose names
    begin with a dot are drafts and are passed over.
    """
    if not path.is_dir():
        raise DataError(f"{path} is no folder; name a folder of instance folders")
    folders = [path] if (path / INSTANCE).is_file() else folders_in(path)
    folders = [folder for folder in folders if not folder.name.startswith(".")]
    if not any((folder / INSTANCE).is_file() for folder in folders):
        raise DataError(f"no folder in {path} has an {INSTANCE}; name a folder of instances")
    try:
        return [read_instance(dataset, folder, published=False) for folder in folders]
    except DataError as error:
        # The readers of published data advise to fetch them again.
        text = str(error).replace("get the dataset again", "write the instance again")
        raise DataError(text) from None
