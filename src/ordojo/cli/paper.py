"""`ordojo paper`: the papers' tables, the commands for each, and running them."""

import json
from pathlib import Path

import click

from ordojo.cli.progress import Spoken
from ordojo.cli.settings import RunsPath
from ordojo.core.errors import UsageError


@click.command(
    epilog="Example: ordojo paper 002", cls=Spoken, doing="looking papers up {number} {runs}"
)
@click.argument(
    "number", metavar="[PAPER]", type=click.Choice(["000", "002", "003", "004"]), required=False
)
@click.option(
    "--runs",
    multiple=True,
    metavar="DIR",
    type=RunsPath(),
    help="Runs whose scores stand beside the paper's.",
)
@click.option(
    "--run",
    "folder",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Run PAPER's commands in DIR, all that can be run here; the same command goes on.",
)
@click.option("--model", help="With --run: the model that is asked.")
@click.option("--small", is_flag=True, help="With --run: the few items that the tests take.")
@click.option("--train", is_flag=True, help="With --run: train models, too; some ask paid models.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def paper(
    number: str | None,
    runs: tuple[Path, ...],
    folder: Path | None,
    model: str | None,
    small: bool,
    train: bool,
    as_json: bool,
) -> None:
    """List PAPER's tables, figures, algorithms and prompts: the commands for each, how many of the
    paper's numbers they cover, what is at hand or lacking, published scores.

    000 is ORQA, 002 EconLogicQA, 003 MIPLIB-NL, 004 OR-Debug-Bench and OR-Bias-Bench. The scores of
    runs on the dataset that stands for the paper's are said to be yours. Without PAPER, one table
    of what is covered of all four.

    --run makes what it lists: of each item it says how many numbers of the paper now stand beside
    figures of yours, and why not more. What a person does, and what takes a file of yours, is left
    out; so is what asks a model without --model, and what trains one without --train.
    """
    from dataclasses import asdict

    from ordojo.evaluate.runs import read_runs
    from ordojo.report.coverage import markdown
    from ordojo.report.papers import PAPERS, lines, paper_items

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
    items = paper_items(number, read_runs(runs))
    if folder is not None:
        _run(number, folder, as_json, model, small, train)
        return
    if as_json:
        click.echo(json.dumps([asdict(item) for item in items], indent=2))
        return
    covered, cells = sum(item.covered for item in items), sum(item.cells for item in items)
    click.echo(f"{number}: {PAPERS[number]}, {covered:,} of {cells:,} numbers covered")
    for item in items:
        click.echo()
        for line in lines(item):
            click.echo(line)


def _run(
    number: str, folder: Path, as_json: bool, model: str | None, small: bool, train: bool
) -> None:
    from ordojo.report.papers import PAPERS
    from ordojo.report.reproduction import reproduce

    found = reproduce(number, folder, model, small, train)
    if as_json:
        click.echo(json.dumps([one.to_json() for one in found], indent=2))
        return
    numbers, cells = sum(one.numbers for one in found), sum(one.item.cells for one in found)
    beside = f"{numbers:,} of {cells:,} numbers beside figures of yours"
    click.echo("\n".join([f"{number}: {PAPERS[number]}, {beside}", *map(str, found)]))
