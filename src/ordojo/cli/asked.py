"""`ordojo whatif`, `whynot`, `worth`, `suspects` and `check`: what is asked of a model next."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from ordojo.cli.progress import Spoken
from ordojo.cli.settings import Number
from ordojo.core.extras import need
from ordojo.core.ranges import MENU, SECONDS, SIZE

FILE = click.Path(path_type=Path)


def _question(doing: str, example: str) -> Callable[[Callable[..., None]], click.Command]:
    """A command about a MODEL, with the options that all of them have."""

    def made(function: Callable[..., None]) -> click.Command:
        for option in (
            click.option("--json", "as_json", is_flag=True, help="Print JSON."),
            click.option(
                "--isolation",
                type=click.Choice(["auto", "userns", "bwrap", "landlock", "docker", "unsafe"]),
                default="auto",
                show_default=True,
                help="How a .py MODEL is contained.",
            ),
            click.option(
                "--solver",
                type=click.Choice(["highs", "gurobi", "scip"]),
                default="highs",
                show_default=True,
            ),
            click.option(
                "--time-limit",
                type=Number(SECONDS),
                default=60.0,
                show_default=True,
                help="Seconds for everything.",
            ),
        ):
            function = option(function)
        command = click.command(epilog=f"Example: ordojo {example}", cls=Spoken, doing=doing)
        return command(function)

    return made


def _answer(name: str, *given: Any, as_json: bool, solver: str, **options: Any) -> Any:
    """Print what the function of that name answers, and give it back."""
    from ordojo.api import asked

    if solver != "highs":
        need(solver, f"--solver {solver}")
    found = getattr(asked, name)(*given, solver=solver, **options)
    click.echo(json.dumps(found.to_json(), indent=2) if as_json else found.text())
    return found


@_question("asking what if of {model}", "whatif plan.lp --set 'cap<=50' --set 'obj.x=4'")
@click.argument("model", type=FILE)
@click.option("--set", "edits", multiple=True, metavar="CHANGE", help="A change; again for more.")
def whatif(model: Path, edits: tuple[str, ...], **options: Any) -> None:
    """Change MODEL as --set says, solve it again, and say what must change in the plan.

    A CHANGE is a row's side (cap <= 50), a column's bound (x >= 3), a cost (obj.x = 4), the
    coefficient of x in row need (need[x] = 2), a row taken away (drop need), or a new one
    (x + 2 y <= 7). The plan is the optimal one closest to the former; where there is none, a
    conflict says why.
    """
    _answer("whatif", model, edits, **options)


@_question("asking why not of {model}", "whynot plan.lp 'open[W2]>=1'")
@click.argument("model", type=FILE)
@click.argument("statement")
def whynot(model: Path, statement: str, **options: Any) -> None:
    """Say what it costs that STATEMENT, a linear constraint, holds in MODEL, or what forbids it."""
    _answer("whynot", model, statement, **options)


@_question("asking what {row} is worth in {model}", "worth plan.lp cap --by 10")
@click.argument("model", type=FILE)
@click.argument("row")
@click.option("--by", type=Number(SIZE), default=1.0, show_default=True, help="How far, both ways.")
def worth(model: Path, row: str, **options: Any) -> None:
    """Say what the limit of ROW in MODEL is worth, by solving again with it looser and tighter.

    Beside it an LP's dual price, how far the limit can go before there is no solution, and where
    it stops mattering.
    """
    _answer("worth", model, row, **options)


@_question("looking for suspects in {model}", "suspects plan.lp --family 'cap*'")
@click.argument("model", type=FILE)
@click.option("--limit", type=Number(MENU), default=10, show_default=True, help="Suspects solved.")
@click.option("--family", metavar="NAME", help="One family alone; * and ? match.")
def suspects(model: Path, **options: Any) -> None:
    """List numbers of MODEL unlike those of their family, and what each one's undo does."""
    _answer("suspects", model, **options)


@_question("checking {solution} in {model}", "check plan.lp plan.sol")
@click.argument("model", type=FILE)
@click.argument("solution", type=FILE)
@click.option("--complete", is_flag=True, help="Hold what SOLUTION gives, solve for the rest.")
def check(model: Path, solution: Path, **options: Any) -> None:
    """Say which rows, bounds and whole numbers of MODEL a plan breaks, by how much.

    SOLUTION is JSON {"name": value} (.json), lines name,value (.csv), or a solution file of HiGHS,
    Gurobi, SCIP or MIPLIB. Exit code 1: something is broken, or the rest cannot be completed.
    """
    found = _answer("check", model, solution, **options)
    if not found.feasible or found.conflict is not None:
        raise click.exceptions.Exit(1)
