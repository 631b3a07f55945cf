"""`ordojo export`: a dataset in others' formats, and `ordojo list`: what there is."""

from ordojo.api import benchmarks, data
from ordojo.cli.made import made

export = made(
    data.export,
    doing="exporting {dataset} as {layout}",
    example="export hf orqa@ordojo -o dataset",
    flags={"out": ["-o", "--out"]},
    metavars={"layout": "FORMAT", "push": "OWNER/NAME"},
    prints_json=False,
)
list_command = made(
    benchmarks.catalogue,
    "list",
    doing="",
    example="list",
    show=benchmarks.Catalogue.text,
)
