"""`ordojo diff`: what is wrong with a rebuilt model, and which constraint family names it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ordojo.api import runs as running
from ordojo.api import structures
from ordojo.cli.made import made, printed
from ordojo.cli.settings import RunsPath
from ordojo.core.errors import UsageError
from ordojo.structures.inspection import InspectionFinding


def _diff(
    model: Path | None, candidate: Path | None, *, runs: Sequence[Path], as_json: bool, **more: Any
) -> int:
    """Compare two models, or say which instances the runs validate; the exit code."""
    if runs and model is None:
        printed(running.validate(*runs), as_json, _told)
        return 0
    if runs or model is None or candidate is None:
        raise UsageError("diff: give MODEL.mps and a CANDIDATE to compare, or --runs RUNS")
    found = structures.diff(model, candidate, **more)
    printed(found, as_json, InspectionFinding.text)
    return int(not found.validated)


def _told(found: Sequence[Any]) -> str:
    good = sum(bool(one.models) for one in found)
    lines = [f"{one.id}: {one.text}" for one in found]
    return "\n".join(
        [*lines, f"{good} of {len(found)} validated, {len(found) - good} to inspection"]
    )


diff = made(
    structures.diff,
    doing="comparing {model} {candidate} {runs}",
    example="diff model.mps rebuilt.mps",
    metavars={"model": "[MODEL]", "candidate": "[CANDIDATE]"},
    use=_diff,
    code=int,
    options=[
        click.Option(
            ["--runs"],
            multiple=True,
            type=RunsPath(),
            help="Runs on instances with references: which of them they validate.",
        )
    ],
    also="Exit code 1: the optima do not agree. With --runs instead, an instance is validated "
    "where one of a model's samples is right.",
)
