"""The eleven datasets of natural-language optimization problems, every version of each.

They stand in `catalogue.csv`. Those of kind "github" have a known address and can be pulled. The
others are folders, archives, or files whose address at their source is not known: they are put
under $ORDOJO_DATA by hand. `members` are patterns of file names in a folder (`FileSpec`).
"""

import csv
from importlib import resources

from ordojo.datasets.schemas import NL2OPT
from ordojo.datasets.specs import DatasetSpec, FileSpec, Source


def _sets() -> tuple[DatasetSpec, ...]:
    table = resources.files("ordojo.datasets").joinpath("catalogue.csv")
    return tuple(_spec(row) for row in csv.DictReader(table.read_text("utf-8").splitlines()))


def _spec(row: dict[str, str]) -> DatasetSpec:
    file = FileSpec(
        split="test",
        path=row["address"] or row["name"],
        rows=int(row["items"]),
        sha256=row["sha256"],
        size=int(row["size"]),
        members=tuple(row["members"].split()),
        local=row["name"],
    )
    return DatasetSpec(
        id=row["id"],
        folder=row["folder"],
        schema=NL2OPT,
        source=Source(
            "github" if row["kind"] == "github" else "local", row["repository"], row["revision"]
        ),
        licence=row["licence"],
        files=(file,),
        reader=row["reader"],
    )


NL2OPT_SETS: tuple[DatasetSpec, ...] = _sets()
