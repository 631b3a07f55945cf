"""`ordojo grade`: stored responses, run and judged again."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ordojo.cli.progress import Spoken
from ordojo.cli.settings import RunsPath, on_option, parse_settings
from ordojo.core.spread import Place

if TYPE_CHECKING:
    from ordojo.core.records import RunView


@click.command(
    epilog="Example: ordojo grade answers.jsonl --dataset nl2opt@ordojo",
    cls=Spoken,
    doing="grading {responses}",
)
@click.argument("responses", type=click.Path(path_type=Path))
@click.option("--dataset", required=True, metavar="ID", help="What was answered: an id, or JSONL.")
@click.option(
    "--rule", "rules", multiple=True, metavar="NAME", help="A rule to show figures under."
)
@click.option(
    "-T", "settings", multiple=True, metavar="KEY=VALUE", help="An option of the benchmark."
)
@click.option("--runs", type=RunsPath(write=True), default=Path("runs"), show_default=True)
@on_option("processes", "--processes")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def grade(
    responses: Path,
    dataset: str,
    rules: tuple[str, ...],
    settings: tuple[str, ...],
    runs: Path,
    place: Place,
    as_json: bool,
) -> None:
    """Run and judge the answers in RESPONSES: {"id", "epoch", "completion"} a line.

    The same command goes on where it was stopped. What comes out is a run directory, as `ordojo
    eval` makes them; every rule's verdict is in it.
    """
    from ordojo.cli.results import complain, warn_of_missing
    from ordojo.core.errors import UsageError
    from ordojo.core.registry import get_benchmark
    from ordojo.evaluate.grade import Grading, answered

    benchmark, named = answered(dataset)
    known = get_benchmark(benchmark).rules
    for rule in rules:
        if rule not in known:
            raise UsageError(f"there is no rule '{rule}'; choose from {', '.join(known)}")
    given = parse_settings(settings, "-T")
    for name in named.keys() & given.keys():
        raise UsageError(f"-T {name}: give the dataset by --dataset alone")
    grading = Grading(benchmark, responses, {**given, **named}, runs)
    if grading.refused:
        names = ", ".join(sorted({name for name, _ in grading.refused}))
        click.echo(f"ordojo: not graded, as files of them are missing: {names}", err=True)
    if grading.header.options.get("isolation") == "unsafe":
        click.echo("ordojo: UNSAFE: the programs are run without containment", err=True)
    warn_of_missing(grading.header)
    click.echo(f"run directory {grading.path}", err=True)
    view = grading.run(place)
    shown = rules or (grading.header.rule,)
    if as_json:
        click.echo(json.dumps(_figures(view, shown), indent=2))
    else:
        _show(view, shown)
    if complain([view], grading.path.parent):
        sys.exit(1)


def _figures(view: "RunView", rules: tuple[str, ...]) -> dict[str, Any]:
    from dataclasses import asdict

    from ordojo.core.registry import get_benchmark

    header = view.header
    benchmark = get_benchmark(header.benchmark)
    return {
        "run": view.name,
        **asdict(header),
        "finished": len(view.records),
        "rules": {
            rule: {
                name: {key: None if value != value else value for key, value in asdict(e).items()}
                for name, e in benchmark.metrics(view.records, rule).items()
            }
            for rule in rules
        },
    }


def _show(view: "RunView", rules: tuple[str, ...]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    from ordojo.core.registry import get_benchmark

    benchmark = get_benchmark(view.header.benchmark)
    found = {rule: benchmark.metrics(view.records, rule) for rule in rules}
    table = Table(box=SIMPLE_HEAD)
    table.add_column("figure")
    for rule in rules:
        table.add_column(rule, justify="right")
    for name in dict.fromkeys(name for figures in found.values() for name in figures):
        if name.startswith(("rule/", "apart/")) or not any(f[name].n for f in found.values()):
            continue
        cells = [_cell(figures[name]) for figures in found.values()]
        table.add_row(name, *cells)
    out = Console()
    (out if out.is_terminal else Console(width=140)).print(table)


def _cell(estimate: Any) -> str:
    if not estimate.n:
        return ""
    if estimate.low != estimate.low:
        return f"{estimate.value:.3f}"
    return f"{estimate.value:.3f} ({estimate.low:.3f} to {estimate.high:.3f})"
