"""Small problems in every source's format, and a registered dataset that holds them."""

import json
import tarfile
from pathlib import Path
from typing import Any

from ordojo.datasets.registry import DatasetSource, DatasetSpec, FileSpec
from ordojo.datasets.schemas import NL2OPT

LP = """\\ Model toy
Minimize
  2 x[0] + 3 x[1,2]
Subject To
 need_[1, 2]: x[0] + x[1,2] >= 4
 cap: x[0] <= 3
 cap: x[1,2] <= 5
Bounds
End
"""

INSTANCE = {
    "abstract_problem": "Ship {n} parcels at the least cost.",
    "parameters": {"n": 3},
    "files": {"costs": {"path": "./data/costs.csv", "description": "A cost a parcel."}},
    "optimal_value": "25",
}


def write(path: Path, value: Any) -> Path:
    """Write text as it is, anything else as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value), "utf-8")
    return path


def instance(root: Path, name: str, **changes: Any) -> Path:
    """An instance of MIPLIB-NL's form, with its table."""
    folder = root / name
    write(folder / "data/costs.csv", "parcel,cost\n1,10\n2,15\n")
    return write(folder / "instance.json", {**INSTANCE, **changes}).parent


def toy_set(dataset_id: str, reader: str, name: str, items: int, *members: str) -> DatasetSpec:
    """A dataset that lies in $ORDOJO_DATA/toys/NAME, its hash unknown."""
    file = FileSpec("test", name, items, members=members)
    return DatasetSpec(
        dataset_id, "toys", NL2OPT, DatasetSource("local"), "none", (file,), reader=reader
    )


def packed(archive: Path, folder: Path, name: str) -> Path:
    """The folder as an xz-packed tar under `name`."""
    with tarfile.open(archive, "w:xz") as tar:
        tar.add(folder, name)
    return archive
