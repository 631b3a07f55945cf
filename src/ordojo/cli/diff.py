"""`ordojo diff`: what is wrong with a rebuilt model, and which constraint family names it."""

import json
import sys
from pathlib import Path

import click

from ordojo.cli.progress import Spoken
from ordojo.cli.settings import Number
from ordojo.core.progress import doing
from ordojo.core.ranges import SECONDS


@click.command(
    epilog="Example: ordojo diff model.mps rebuilt.mps",
    cls=Spoken,
    doing="comparing {model} {candidate} {runs}",
)
@click.argument("model", required=False, type=click.Path(path_type=Path))
@click.argument("candidate", required=False, type=click.Path(path_type=Path))
@click.option(
    "--runs",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Runs of nl2opt: which instances they validate, and which go to inspection.",
)
@click.option(
    "--time-limit",
    type=Number(SECONDS),
    default=30.0,
    show_default=True,
    help="Seconds for each of: the mapping, each solve, the alignment.",
)
@click.option(
    "--isolation",
    type=click.Choice(["auto", "userns", "bwrap", "landlock", "docker", "unsafe"]),
    default="auto",
    show_default=True,
    help="How a program is contained.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def diff(
    model: Path | None,
    candidate: Path | None,
    runs: tuple[Path, ...],
    time_limit: float,
    isolation: str,
    as_json: bool,
) -> None:
    """Compare CANDIDATE with the MODEL (.mps or .lp, may be packed) that it should state.

    CANDIDATE is another model file, a program (.py) of gurobipy, coptpy or highspy, or a folder
    with a solve.py. First a mapping of rows and columns is sought, which shows that both are the
    same problem; then the optima are compared, each best point is put into the other model, and
    the constraint family at fault is named. Exit code 1: the optima do not agree.

    With --runs instead, runs of nl2opt are read: an instance is validated where one of a model's
    samples is right.
    """
    from ordojo.core.errors import UsageError

    if runs and model is None:
        _validate(runs, as_json)
        return
    if runs or model is None or candidate is None:
        raise UsageError("diff: give MODEL.mps and a CANDIDATE to compare, or --runs RUNS")
    from ordojo.compat.candidates import candidate_model
    from ordojo.structure import read_flat
    from ordojo.structure.inspection import inspect as inspect_models

    doing(f"reading {model}")
    reference = read_flat(model)
    doing(f"reading {candidate}", time_limit)
    other = candidate_model(candidate, isolation, time_limit)
    doing("comparing", 4 * time_limit)
    found = inspect_models(reference, other, time_limit=time_limit)
    click.echo(json.dumps(found.to_json(), indent=2) if as_json else found.text())
    sys.exit(0 if found.validated else 1)


def _validate(runs: tuple[Path, ...], as_json: bool) -> None:
    from dataclasses import asdict

    from ordojo.benchmarks.nl2opt.validation import validate
    from ordojo.core.errors import UsageError
    from ordojo.evaluate.runs import read_runs

    found = validate(read_runs(runs))
    if not found:
        raise UsageError("the runs hold no answers of a model; run `ordojo eval nl2opt` with one")
    if as_json:
        click.echo(json.dumps([asdict(one) for one in found], indent=2))
        return
    for one in found:
        click.echo(f"{one.id}: {one.text}")
    good = sum(bool(one.models) for one in found)
    click.echo(f"{good} of {len(found)} validated, {len(found) - good} to inspection")
