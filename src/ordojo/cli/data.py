"""`ordojo data`: what datasets there are, getting them, checking them."""

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ordojo.cli.progress import Spoken
from ordojo.core.errors import DataError
from ordojo.core.progress import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ordojo.core.canonical import Json
    from ordojo.datasets.nl2opt.statistics import DatasetStatistics
    from ordojo.datasets.specs import DatasetSpec

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
dataset_id = click.argument("dataset_id", metavar="ID")


@click.group()
def data() -> None:
    """List, pull, find, verify, audit and describe the datasets."""


@data.command("list", epilog="Example: ordojo data list")
@as_json
def list_command(as_json: bool) -> None:
    """List every dataset: id, licence, items, source, and where it is on this machine."""
    from ordojo.datasets.registry import dataset_ids, get_dataset

    specs = [get_dataset(dataset_id) for dataset_id in dataset_ids()]
    if as_json:
        return _print_json([{**spec.to_json(), "folder": _home(spec)} for spec in specs])
    rows = [("id", "items", "licence", "source", "folder")]
    for spec in specs:
        items = ", ".join(f"{file.split} {file.rows}" for file in spec.files)
        home = _home(spec) or "not here"
        rows.append((spec.id, items, spec.licence, str(spec.source), home))
    _print_table(rows)


@data.command(
    "pull",
    epilog="Example: ordojo data pull orqa@793beee",
    cls=Spoken,
    doing="pulling {dataset_id}",
)
@dataset_id
def pull_command(dataset_id: str) -> None:
    """Fetch a dataset from its published source into the cache, checked; print its folder."""
    from ordojo.datasets.pull import pull

    click.echo(pull(dataset_id).folder)


@data.command("path", epilog="Example: ordojo data path orqa@793beee")
@dataset_id
@as_json
def path_command(dataset_id: str, as_json: bool) -> None:
    """Print the folder of a dataset that is here and unharmed."""
    from ordojo.datasets.store import locate

    located = locate(dataset_id)
    if not as_json:
        return click.echo(located.folder)
    _print_json(
        {
            "id": located.spec.id,
            "folder": str(located.folder),
            "files": {split: str(path) for split, path in located.files.items()},
            "sha256": located.sha256,
        }
    )


@data.command(
    "verify",
    epilog="Example: ordojo data verify orqa@ordojo",
    cls=Spoken,
    doing="verifying {dataset_id}",
)
@dataset_id
@as_json
@click.pass_context
def verify_command(context: click.Context, dataset_id: str, as_json: bool) -> None:
    """Check a dataset's hashes, number of items and every row; exit with 1 if a check fails."""
    from ordojo.datasets.pull import verify

    report = verify(dataset_id)
    if as_json:
        _print_json(report.to_json())
    else:
        _print_table(report.table(), f"{report.id} in {report.folder}")
    if not report.ok:
        context.exit(1)


@data.command(
    "audit",
    epilog="Example: ordojo data audit orqa@ordojo",
    cls=Spoken,
    doing="auditing {dataset_id}",
)
@dataset_id
@as_json
def audit_command(dataset_id: str, as_json: bool) -> None:
    """Look for duplicates, missing texts, an uneven answer key, disputed items."""
    from ordojo.datasets.audit import audit

    report = audit(dataset_id)
    if as_json:
        return _print_json(report.to_json())
    _print_table(report.table(), f"{report.id}, licence {report.licence}")
    for finding in report.findings():
        click.echo(finding)


@data.command(
    "statistics",
    epilog="Example: ordojo data statistics nl2opt@ordojo",
    cls=Spoken,
    doing="describing {dataset_ids}",
)
@click.argument("dataset_ids", nargs=-1, metavar="ID")
@click.option("--sizes", is_flag=True, help="Also read the reference models, for their sizes.")
@click.option(
    "--figures",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Draw the sizes, by dataset and by scale, as SVG and PDF; takes --sizes along.",
)
@as_json
def statistics_command(
    dataset_ids: tuple[str, ...], sizes: bool, figures: Path | None, as_json: bool
) -> None:
    """Lengths, numbers, sizes, scenarios and known error rates of optimization problems.

    Of every dataset of nl2opt that is on this machine, if no ID is given. An ID may be folder:PATH.
    """
    from ordojo.datasets.nl2opt.statistics import statistics, table
    from ordojo.datasets.registry import dataset_ids as every
    from ordojo.datasets.registry import get_dataset

    wanted = dataset_ids or tuple(
        spec.id
        for spec in map(get_dataset, every())
        if spec.schema.name == "nl2opt" and _home(spec)
    )
    rows = [
        statistics(name, size_of=_size_of if sizes or figures else None)
        for name in counted(wanted, "describing datasets")
    ]
    if figures is not None:
        from ordojo.report.sizes import write_sizes

        command = shlex.join(
            ["ordojo", "data", "statistics", *dataset_ids, "--figures", f"{figures}"]
        )
        write_sizes(rows, figures, command)
    if as_json:
        return _print_json([row.to_json() for row in rows])
    _print_table(table(rows))
    scales = next(iter(rows)).buckets if rows else ()
    heads = ("dataset", "items", "known errors", *(f"size {scale}" for scale in scales))
    _print_table([heads, *map(_known, rows)], "in brackets: as paper 003 has it")
    scenarios = {row.id.partition("@")[0]: row.scenarios for row in rows if row.scenarios}
    names = sorted({name for found in scenarios.values() for name in found})
    if scenarios:
        counts = [(name, *(str(s.get(name, 0)) for s in scenarios.values())) for name in names]
        _print_table([("scenario, as published", *scenarios), *counts])


def _known(row: "DatasetStatistics") -> tuple[str, ...]:
    """Of a dataset, what paper 003 has figures of too: figures 10 and 5."""
    rate = "-" if row.error_rate is None else f"[{row.error_rate:.0%} or more]"
    items = f"{row.items:,}"
    if row.published_items is not None:
        items += f" [{row.published_items:,}]"
    return row.id, items, rate, *map(row.told, row.buckets)


def _size_of(path: Path) -> tuple[int, int]:
    """Columns and rows of a model file."""
    from ordojo.milp.files import read_problem

    model = read_problem(path).model
    return model.n, model.m


def _home(spec: "DatasetSpec") -> str | None:
    """Where a dataset is; None if it is not here, which a list may say and no more."""
    from ordojo.datasets.store import find

    try:
        return str(find(spec).folder)
    except DataError:
        return None


def _print_json(value: "Json") -> None:
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))


def _print_table(rows: "Sequence[Sequence[str]]", title: str = "") -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title or None, title_justify="left")
    for heading in rows[0]:
        table.add_column(heading, overflow="fold", no_wrap=heading == "id")
    for row in rows[1:]:
        table.add_row(*row)
    Console(markup=False, emoji=False, highlight=False).print(table)
