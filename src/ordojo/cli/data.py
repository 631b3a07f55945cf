"""`ordojo data` (list, pull, check, describe), `ordojo export`, and `ordojo models`: weights."""

from collections.abc import Sequence
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from ordojo.api import data as datasets
from ordojo.cli import Commands
from ordojo.cli.made import made
from ordojo.datasets.audit import Audited
from ordojo.datasets.nl2opt.statistics import DatasetStatistics, table
from ordojo.datasets.store import Located

ID = {"dataset": "ID"}


@click.group(cls=Commands)
def data() -> None:
    """List, pull, find, verify, audit and describe the datasets."""


def _print(rows: Sequence[Sequence[str]], title: str = "") -> None:
    shown = Table(title=title or None, title_justify="left")
    for heading in rows[0]:
        shown.add_column(heading, overflow="fold", no_wrap=heading == "id")
    for row in rows[1:]:
        shown.add_row(*row)
    Console(markup=False, emoji=False, highlight=False).print(shown)


def _list(found: Sequence[datasets.DatasetPlace]) -> None:
    rows = [("id", "items", "licence", "source", "folder")]
    for spec, home in ((one.spec, one.folder) for one in found):
        items = ", ".join(f"{file.split} {file.rows}" for file in spec.files)
        where = "not here" if home is None else str(home)
        rows.append((spec.id, items, spec.licence, str(spec.source), where))
    _print(rows)


def _audited(report: Audited) -> None:
    _print(report.table(), f"{report.id}, licence {report.licence}")
    for finding in report.findings():
        click.echo(finding)


def _described(rows: Sequence[DatasetStatistics]) -> None:
    _print(table(rows))
    scales = next(iter(rows)).buckets if rows else ()
    heads = ("dataset", "items", "known errors", *(f"size {scale}" for scale in scales))
    _print([heads, *map(_known, rows)], "in brackets: as paper 003 has it")
    scenarios = {row.id.partition("@")[0]: row.scenarios for row in rows if row.scenarios}
    names = sorted({name for found in scenarios.values() for name in found})
    if scenarios:
        counts = [(name, *(str(s.get(name, 0)) for s in scenarios.values())) for name in names]
        _print([("scenario, as published", *scenarios), *counts])


def _known(row: DatasetStatistics) -> tuple[str, ...]:
    """Of a dataset, what paper 003 has figures of too: figures 10 and 5."""
    rate = "-" if row.error_rate is None else f"[{row.error_rate:.0%} or more]"
    items = f"{row.items:,}"
    if row.published_items is not None:
        items += f" [{row.published_items:,}]"
    return row.id, items, rate, *map(row.told, row.buckets)


def _located(found: Located) -> dict[str, Any]:
    return {
        "id": found.spec.id,
        "folder": str(found.folder),
        "files": {split: str(path) for split, path in found.files.items()},
        "sha256": found.sha256,
    }


for command in (
    made(
        datasets.list_datasets,
        "list",
        doing="",
        example="data list",
        show=_list,
        plain=lambda found: [one.to_json() for one in found],
    ),
    made(
        datasets.pull_dataset,
        "pull",
        doing="pulling {dataset}",
        example="data pull orqa@793beee",
        metavars=ID,
        prints_json=False,
    ),
    made(
        datasets.find_dataset,
        "path",
        doing="",
        example="data path orqa@793beee",
        metavars=ID,
        show=lambda found: str(found.folder),
        plain=_located,
    ),
    made(
        datasets.verify_dataset,
        "verify",
        doing="verifying {dataset}",
        example="data verify orqa@ordojo",
        metavars=ID,
        show=lambda report: _print(report.table(), f"{report.id} in {report.folder}"),
        code=lambda report: int(not report.ok),
        also="Exit code 1: a check fails.",
    ),
    made(
        datasets.audit_dataset,
        "audit",
        doing="auditing {dataset}",
        example="data audit orqa@ordojo",
        metavars=ID,
        show=_audited,
    ),
    made(
        datasets.describe_datasets,
        "statistics",
        doing="describing {datasets}",
        example="data statistics nl2opt@ordojo",
        metavars={"datasets": "[ID]...", "figures": "DIR"},
        show=_described,
    ),
):
    data.add_command(command)


export = made(
    datasets.export,
    doing="exporting {dataset} as {layout}",
    example="export hf orqa@ordojo -o dataset",
    flags={"out": ["-o", "--out"]},
    metavars={"layout": "FORMAT", "push": "OWNER/NAME"},
    prints_json=False,
)


@click.group(cls=Commands)
def models() -> None:
    """List and pull the embedded models."""


def _weights(found: Sequence[datasets.WeightsPlace]) -> str:
    def line(one: datasets.WeightsPlace) -> str:
        where = one.path or f"not here: `ordojo models pull {one.model.removeprefix('ordojo/')}`"
        return f"{one.model}  {one.description} ({one.licence})  {where}"

    return "\n".join(map(line, found))


models.add_command(
    made(datasets.list_models, "list", doing="", example="models list", show=_weights)
)
models.add_command(
    made(
        datasets.pull_model,
        "pull",
        doing="pulling the weights of {name}",
        example="models pull smollm2",
        prints_json=False,
    )
)
