"""An instance's folder proved again, from its files: its draw, its model, its own program."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from ordojo.core.canonical import significant
from ordojo.core.errors import DataError, OrdojoError
from ordojo.formulation.build import build
from ordojo.formulation.program import solve_py
from ordojo.problems.instances import csv_texts, read_tables, scalars
from ordojo.problems.optimum import check_point, solve
from ordojo.problems.registry import get_template
from ordojo.structures.artifact import read_artifact

PROOF = 600.0
"""Seconds that a proof may take: more than a draw has, as it was solved once."""
RELATIVE = 1e-6
"""By how much optima that are the same may differ (paper 003, F.3)."""
_SAID = re.compile(r"^optimal_value = (\S+)$", re.MULTILINE)


def instance_folders(folder: Path) -> list[Path]:
    """The folder itself where it holds an instance, else those in it that do; raises DataError."""
    if (folder / "instance.json").is_file():
        return [folder]
    found = sorted(path.parent for path in folder.glob("*/instance.json"))
    if not found:
        raise DataError(f"{folder} holds no instance.json, nor do its folders; give another one")
    return found


def verify(folder: Path) -> None:
    """Prove a template's folder again; raises DataError, in a sentence, where something fails.

    The data are drawn anew and compared, the model is built from the folder's own tables and
    solved, and solve.py, which must be the template's, is run in the folder; all must give the
    stated optimum.
    """
    artifact = read_artifact(folder)
    record, told = artifact.record, artifact.record.metadata
    if not isinstance(record.optimal_value, int | float):
        raise DataError(f"{folder}: its optimal_value is no number; build it again")
    try:
        template = get_template(str(told["template"]))
        knobs = template.settings(given=_knobs(told["knobs"]))
        draw = int(str(told["seed"])), int(str(told["index"])), int(str(told["attempt"]))
        tables = template.tables(knobs, *draw)
    except (KeyError, ValueError, OrdojoError) as error:
        raise DataError(f"{folder}: its metadata name no draw ({error}); build it again") from None
    drawn = csv_texts(tables)
    for path in sorted(set(drawn) | set(artifact.data)):
        if drawn.get(path) != artifact.data.get(path):
            raise DataError(f"{folder}: {path} is not what its seed gives; build it again")
    if record.parameters != scalars(tables):
        raise DataError(f"{folder}: its parameters are not what its seed gives; build it again")
    stored = read_tables(artifact.data)
    built = build(template.spec, stored, record.id)
    found = solve(built.model, PROOF)
    if found.x is None or found.objective is None:
        raise DataError(f"{folder}: its model is {found.status} after {PROOF:g} s; give more")
    check_point(built, stored, found.x, found.objective)
    agree(folder, "its model", significant(found.objective), float(record.optimal_value))
    if artifact.solve_py != solve_py(template.spec, template.title):
        raise DataError(f"{folder}: {record.solver_code} is not its template's; build it again")
    agree(folder, record.solver_code, run(folder, PROOF), float(record.optimal_value))


def run(folder: Path, seconds: float) -> float:
    """What solve.py prints as the optimum, run in its folder; raises DataError."""
    try:
        done = subprocess.run(
            [sys.executable, "solve.py"],
            cwd=folder,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            timeout=2 * seconds + 60,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise DataError(f"{folder}: solve.py does not end in {2 * seconds + 60:g} s") from None
    said = _SAID.search(done.stdout)
    if said is None:
        last = (done.stderr.strip() or done.stdout.strip() or "nothing").splitlines()[-1]
        raise DataError(f"{folder}: solve.py prints no optimum but '{last}'; build it again")
    return float(said[1])


def agree(folder: Path, what: str, value: float, stated: float) -> None:
    """Raise DataError unless two optima are the same to RELATIVE."""
    if not abs(value - stated) <= RELATIVE * max(1.0, abs(stated)):
        raise DataError(
            f"{folder}: {what} has the optimum {value!r}, stated is {stated!r}; build it again"
        )


def _knobs(told: Any) -> dict[str, Any]:
    if not isinstance(told, dict):
        raise ValueError("'knobs' are no object")
    return told
