"""`ordojo explain`: why a model is infeasible, and the smallest repairs; and what is asked next.

That is `whatif`, `whynot`, `worth`, `suspects` and `check`.
"""

import os
import time
from pathlib import Path
from typing import Any

import click

from ordojo.api import models, reading
from ordojo.api.kinds import Isolation
from ordojo.cli.made import made, printed
from ordojo.cli.parameters import PATH, LanguageModel, Number
from ordojo.core.errors import UsageError
from ordojo.core.files import read_text
from ordojo.core.outputs import write_file
from ordojo.core.progress import doing
from ordojo.core.ranges import MENU
from ordojo.milp.files import write_model

OWN = (
    click.Option(["--write"], type=PATH, help="A new .lp or .mps: the model repaired."),
    click.Option(["--choose"], type=Number(MENU), default=1, show_default=True, help="Which one."),
    click.Option(["--html"], type=PATH, help="A page of it, self-contained."),
    click.Option(
        ["--suggest"],
        metavar="MODEL",
        type=LanguageModel(),
        help="Let a language model repair it; see eval --model.",
    ),
    click.Option(["--text"], type=PATH, help="What --suggest reads beside: a description."),
)


def _explain(
    model: Path,
    *,
    write: Path | None,
    choose: int,
    html: Path | None,
    suggest: str | None,
    text: Path | None,
    isolation: Isolation,
    time_limit: float,
    as_json: bool,
    **options: Any,
) -> None:
    """Explain, and do what the command's own options ask; what cannot be done is said first."""
    _writable(write, html)
    if write is None and choose != 1:
        raise UsageError("--choose says which repair --write FILE writes; name a file")
    description = _description(text, suggest)
    program = model.suffix == ".py"
    doing(f"{'running' if program else 'reading'} {model}", time_limit if program else None)
    problem = reading.read_problem(model, isolation=isolation, time_limit=time_limit)
    end = time.monotonic() + time_limit
    options["progress"] = lambda line: doing(line, max(0.0, end - time.monotonic()))
    found = models.explain(problem, time_limit=time_limit, **options)
    printed(found, as_json)
    if suggest is not None:
        from ordojo.api.runs import suggest as ask

        doing(f"asking {suggest}")
        click.echo(ask(problem, suggest, text=description).text(), err=as_json)
    if html is not None:
        from ordojo.reports.explanation import explanation_page

        write_file(html, explanation_page(found))
    if write is not None:
        write_model(found.repaired_problem(choose), write)
        click.echo(f"repair {choose} is written to {write}", err=True)


def _writable(write: Path | None, html: Path | None) -> None:
    if write is not None and write.exists():
        raise UsageError(f"--write {write}: it exists already; name a new file")
    if write is not None and not write.name.lower().removesuffix(".gz").endswith((".lp", ".mps")):
        raise UsageError(f"--write {write}: name a file that ends in .lp or .mps")
    for target in (write, html):
        if target is not None and not os.access(target.parent, os.W_OK):
            raise UsageError(f"cannot write {target}: no such folder, or it is not yours to write")


def _description(text: Path | None, suggest: str | None) -> str:
    if text is None:
        return ""
    if suggest is None:
        raise UsageError("--text is read by --suggest MODEL alone")
    try:
        return read_text(text)
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"--text {text} cannot be read ({error})") from None


explain = made(
    models.explain,
    doing="explaining {model}",
    example="explain model.lp",
    flags={"weights": ["--weight"], "caps": ["--cap"], "hard": ["--hard"]},
    metavars={"model": "FILE", "weights": "NAME=W", "caps": "NAME=D", "hard": "NAME"},
    helps={
        "model": "A path (.mps, .lp, these packed; .py, a program of gurobipy, coptpy, Pyomo, "
        "PuLP, linopy, highspy, python-mip, OR-Tools or cvxpy, whose last model is taken)."
    },
    use=_explain,
    options=OWN,
    also="With --suggest a language model repairs it, too; what it did is shown "
    "with what the solver made of it.",
)


MODEL = {"model": "A path (.mps, .lp, these packed; .py, a program that solves it)."}


whatif = made(
    models.whatif,
    doing="asking what if of {model}",
    helps=MODEL,
    example="whatif plan.lp --set 'cap<=50' --set 'obj.x=4'",
    flags={"edits": ["--set"]},
    metavars={"edits": "[CHANGE]"},
)
whynot = made(
    models.whynot,
    doing="asking why not of {model}",
    helps=MODEL,
    example="whynot plan.lp 'open[W2]>=1'",
)
worth = made(
    models.worth,
    doing="asking what {row} is worth in {model}",
    helps=MODEL,
    example="worth plan.lp cap --by 10",
)
suspects = made(
    models.suspects,
    doing="looking for suspects in {model}",
    helps=MODEL,
    example="suspects plan.lp --family 'cap*'",
    metavars={"family": "NAME"},
)
check = made(
    models.check,
    doing="checking {solution} in {model}",
    helps=MODEL,
    example="check plan.lp plan.sol",
    code=lambda found: int(not found.feasible),
    also="Exit code 1: something is broken, or the rest cannot be completed.",
)
