"""`ordojo report`, a static site of runs; `compare`, tests; `plan`, what more runs take; `paper`.

The last one lists the papers' tables and the commands for each, and runs them.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ordojo.api import reports, runs
from ordojo.cli.made import made, options_of, printed
from ordojo.cli.parameters import PATH
from ordojo.core.capacity import Forecast
from ordojo.core.errors import UsageError
from ordojo.core.words import amount
from ordojo.reports.compare import RunComparison
from ordojo.reports.papers import PAPERS, ItemResult, PaperItem, lines, markdown


def _report(*, as_json: bool, **options: Any) -> bool:
    """Write the report; whether a damaged run was left out."""
    damaged: list[Exception] = []

    def left_out(error: Exception) -> None:
        damaged.append(error)
        click.echo(f"ordojo: left out: {error}", err=True)

    paths = reports.report(damaged=left_out, **options)
    if as_json:
        printed({"index": paths.index, "tables": paths.tables, "summary": paths.summary}, as_json)
    else:
        click.echo(paths.index)
    return bool(damaged)


def _groups(found: tuple[RunComparison, ...]) -> Any:
    """An object for one group, a list of them for several."""
    plain = [one.to_json() for one in found]
    return plain[0] if len(plain) == 1 else plain


report = made(
    reports.report,
    doing="reporting on {runs}",
    example="report runs -o report",
    flags={"out": ["-o", "--out"]},
    metavars={"runs": "RUNS...", "out": "OUT", "latex": "DIR", "figures": "DIR"},
    without=["damaged"],
    use=_report,
    code=int,
    also="A damaged run is named and left out; the exit code is 1 then.",
)
compare = made(
    reports.compare,
    doing="comparing {runs}",
    example="compare runs/A runs/B",
    metavars={"runs": "RUNS..."},
    helps={"runs": "Two or more run folders, or folders of runs."},
    show=lambda found: "\n\n".join(map(str, found)),
    plain=_groups,
    also="JSON is an object for one group, a list of them for several.",
)


def _forecast(found: Forecast) -> str:
    rows = {
        "hours": f"{found.hours:,.2f} on {amount(found.cores, 'core')}",
        "node hours": f"{found.node_hours:,.1f}",
        "core hours": f"{found.core_hours:,.1f}, {found.redone:.1%} of them lost with "
        f"{amount(found.nodes_lost, 'node')}",
        "dollars": f"{found.dollars:,.2f}",
        "disk": f"{found.disk_gb:,.3f} GB",
        "memory of results": f"{found.waiting_gb:,.3f} GB at most, until they are kept",
        "busy": ", ".join(f"{name} {share:.0%}" for name, share in found.busy.items()),
        "bottleneck": found.bottleneck,
    }
    return "\n".join(f"{name:<18} {told}" for name, told in rows.items())


plan = made(
    runs.plan,
    doing="planning by {runs}",
    example="plan runs --items 1000000 --nodes 100 --cores 16",
    flags={"items": ["--items"]},
    metavars={"runs": "[RUNS]..."},
    show=_forecast,
    without=["cluster"],
)


def _paper(
    number: Any,
    *,
    runs: Sequence[Path],
    folder: Path | None,
    model: str | None,
    small: bool,
    train: bool,
    as_json: bool,
) -> None:
    """List, run, or without a number show what is covered of all."""
    if number is None:
        if runs or folder or as_json:
            raise UsageError(
                "--runs, --run and --json belong to one paper; name it, as in: ordojo paper 004"
            )
        click.echo("\n".join(markdown()))
        return
    if folder is None and (model or small or train):
        raise UsageError(
            "--model, --small and --train go with --run; name a folder to run the commands in"
        )
    items = reports.paper(number, *runs)
    if folder is None:
        printed(items, as_json, lambda items: "\n".join(_listed(number, items)))
        return
    found = reports.reproduce(number, folder, model=model, small=small, train=train)
    printed(found, as_json, lambda found: "\n".join(_made(number, found)))


def _listed(number: str, items: Sequence[PaperItem]) -> list[str]:
    covered, cells = sum(item.covered for item in items), sum(item.cells for item in items)
    told = [f"{number}: {PAPERS[number]}, {covered:,} of {cells:,} numbers covered"]
    for item in items:
        told += ["", *lines(item)]
    return told


def _made(number: str, found: Sequence[ItemResult]) -> list[str]:
    numbers, cells = sum(one.numbers for one in found), sum(one.item.cells for one in found)
    beside = f"{numbers:,} of {cells:,} numbers beside figures of yours"
    return [f"{number}: {PAPERS[number]}, {beside}", *map(str, found)]


paper = made(
    reports.paper,
    doing="looking papers up {number} {runs}",
    example="paper 002",
    flags={"runs": ["--runs"]},
    metavars={"number": "[PAPER]", "runs": "DIR"},
    use=_paper,
    options=[
        click.Option(
            ["--run", "folder"],
            metavar="DIR",
            type=PATH,
            help="Run PAPER's commands in DIR, all that can be run here; the same command goes on.",
        ),
        *options_of(reports.reproduce, "model", "small", "train"),
    ],
    also="Without PAPER, one table of what is covered of all four.\n\n--run makes what it lists: "
    "of each item it says how many numbers of the paper now stand beside figures of yours, and why "
    "not more. What a person does, and what takes a file of yours, is left out; so is what asks a "
    "model without --model, and what trains one without --train.",
)
