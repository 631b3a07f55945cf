"""`ordojo explain`: why a model, or a program's model, is infeasible, and the smallest repairs."""

import json
import math
import os
import time
from pathlib import Path

import click

from ordojo.cli.progress import Spoken
from ordojo.cli.settings import LanguageModel, Number
from ordojo.core.extras import need
from ordojo.core.progress import doing
from ordojo.core.ranges import MENU, SECONDS, SIZE, WEIGHT


@click.command(epilog="Example: ordojo explain model.lp", cls=Spoken, doing="explaining {file}")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--time-limit", type=Number(SECONDS), default=60.0, show_default=True)
@click.option("--limit", type=Number(MENU), default=5, show_default=True, help="Repairs.")
@click.option("--conflicts", type=Number(MENU), default=3, show_default=True, help="Conflicts.")
@click.option(
    "--weight",
    "weights",
    multiple=True,
    metavar="NAME=W",
    help="What moving NAME (a row, x.lb or x.ub; * and ? match) by 1 costs; 1 by default.",
)
@click.option(
    "--cap", "caps", multiple=True, metavar="NAME=D", help="Move NAME by at most D; * and ? match."
)
@click.option("--hard", multiple=True, metavar="NAME", help="Never move NAME; * and ? match.")
@click.option(
    "--rank",
    type=click.Choice(["size", "count"]),
    default="size",
    show_default=True,
    help="Repairs of the smallest (weighted) size first, or of the fewest moves.",
)
@click.option("--write", type=click.Path(path_type=Path), help="A new .lp or .mps: repaired.")
@click.option("--html", type=click.Path(path_type=Path), help="A page of it, self-contained.")
@click.option("--choose", type=Number(MENU), default=1, show_default=True, help="Repair to write.")
@click.option(
    "--suggest",
    metavar="MODEL",
    type=LanguageModel(),
    help="Let a language model repair it; see eval --model.",
)
@click.option(
    "--text", type=click.Path(path_type=Path), help="What --suggest reads beside: a description."
)
@click.option(
    "--solver", type=click.Choice(["highs", "gurobi", "scip"]), default="highs", show_default=True
)
@click.option(
    "--isolation",
    type=click.Choice(["auto", "userns", "bwrap", "landlock", "docker", "unsafe"]),
    default="auto",
    show_default=True,
    help="How a .py FILE is contained.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def explain(
    file: Path,
    time_limit: float,
    limit: int,
    conflicts: int,
    weights: tuple[str, ...],
    hard: tuple[str, ...],
    caps: tuple[str, ...],
    rank: str,
    write: Path | None,
    html: Path | None,
    choose: int,
    suggest: str | None,
    text: Path | None,
    solver: str,
    isolation: str,
    as_json: bool,
) -> None:
    """Say why the model in FILE (.mps or .lp, may be .gz) is infeasible, and how to repair it.

    FILE may be a Python program, too (.py), of gurobipy, coptpy, Pyomo, PuLP, linopy, highspy,
    python-mip, OR-Tools or cvxpy: it is run in the sandbox, with the files of its folder that it
    names, and the model that it solves last is taken.

    Prints irreducible sets of rows and bounds that contradict each other, and a menu of repairs,
    each solved again: one side, a family, the fewest, the least; of an unbounded model what runs
    away. A feasible one is said to be so. --write applies a repair. With --suggest a language model
    repairs it, too, as in or-debug; what it did is shown with what the solver made of it.
    """
    from ordojo.api import models, reading
    from ordojo.core.errors import UsageError
    from ordojo.core.files import read_text
    from ordojo.core.outputs import write_file
    from ordojo.milp.files import write_model

    if solver != "highs":
        need(solver, f"--solver {solver}")
    if write is not None and write.exists():
        raise UsageError(f"--write {write}: it exists already; name a new file")
    if write is not None and not write.name.removesuffix(".gz").endswith((".lp", ".mps")):
        raise UsageError(f"--write {write}: name a file that ends in .lp or .mps")
    for target in (write, html):
        if target is not None and not os.access(target.parent, os.W_OK):
            raise UsageError(f"cannot write {target}: no such folder, or it is not yours to write")
    costs = _weights(weights)
    most = {
        name: SIZE.parse(f"--cap {name}", number)
        for name, _, number in (item.rpartition("=") for item in caps)
    }
    told = ""
    if text is not None:
        if suggest is None:
            raise UsageError("--text is read by --suggest MODEL alone")
        try:
            told = read_text(text)
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"--text {text} cannot be read ({error})") from None
    program = file.suffix == ".py"
    doing(f"{'running' if program else 'reading'} {file}", time_limit if program else None)
    model = reading.read_problem(file, isolation=isolation, time_limit=time_limit)
    end = time.monotonic() + time_limit
    found = models.explain(
        model,
        solver=solver,
        time_limit=time_limit,
        limit=limit,
        conflicts=conflicts,
        weights=costs,
        hard=hard,
        caps=most,
        rank=rank,
        progress=lambda line: doing(line, max(0.0, end - time.monotonic())),
    )
    click.echo(json.dumps(found.to_json(), indent=2) if as_json else found.text())
    if suggest is not None:
        from ordojo.api.suggestion import suggest as ask

        doing(f"asking {suggest}")
        click.echo(ask(model, suggest, text=told).text(), err=as_json)
    if html is not None:
        from ordojo.report.explanation import explanation_page

        write_file(html, explanation_page(found))
    if write is not None:
        write_model(found.repaired(choose), write)
        click.echo(f"repair {choose} is written to {write}", err=True)


def _weights(given: tuple[str, ...]) -> dict[str, float]:
    weights = {}
    for item in given:
        name, _, number = item.rpartition("=")
        infinite = number.strip().lower() in ("inf", "infinity")  # it never moves
        weights[name] = math.inf if infinite else WEIGHT.parse(f"--weight {name}", number)
    return weights
