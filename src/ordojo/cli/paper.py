"""`ordojo paper`: the papers' tables, the commands for each, and running them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ordojo.api import reports
from ordojo.cli.made import made, options_of, printed
from ordojo.cli.parameters import PATH
from ordojo.core.errors import UsageError
from ordojo.reports.papers import PAPERS, ItemResult, PaperItem, lines, markdown


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
