"""Whether exported programs reach the optimum of their MPS file, run from the folder alone."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ordojo.structure.abstraction import abstract
from ordojo.structure.blueprint.export import export
from ordojo.structure.convert import read_flat

AGREE = 1e-6
"""Relative difference of two optima that count as one (paper 003, F.3)."""


@dataclass(frozen=True)
class Row:
    """One model: the file's status and optimum, what solve.py printed, generator.py's verdict."""

    model: str
    status: str
    optimum: float | str | None
    reached: str
    agrees: bool
    regenerated: bool
    compression: float


def exports(paths: Iterable[Path], seconds: float = 60.0) -> list[Row]:
    """Export each model, move the folder away, and run both of its programs there."""
    found = []
    for path in paths:
        flat = read_flat(path)
        name = path.name.split(".")[0]
        with tempfile.TemporaryDirectory() as place:
            done = export(flat, abstract(flat), Path(place) / "made", name=name, seconds=seconds)
            folder = done.folder.rename(Path(place) / name)
            solved = _run(folder, "solve.py", str(seconds))
            again = _run(folder, "generator.py")
        said = dict(line.split(": ", 1) for line in solved.stdout.splitlines() if ": " in line)
        reached = said.get("objective", solved.stderr.strip()[-100:])
        value = done.record.optimal_value
        found.append(
            Row(
                name,
                done.outcome.status,
                value,
                f"{said.get('status', 'no status')} {reached}",
                _agree(value, said),
                again.returncode == 0,
                done.compression,
            )
        )
    return found


def _agree(value: float | str | None, said: dict[str, str]) -> bool:
    """Whether program and solver agree on a proven optimum, or on its absence."""
    if isinstance(value, str):
        return said.get("status") == value
    if value is None or said.get("status") != "Optimal":
        return False
    return abs(float(said["objective"]) - value) <= AGREE * max(1.0, abs(value))


def _run(folder: Path, program: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, program, *words],
        cwd=folder,
        env=dict(os.environ),
        capture_output=True,
        text=True,
        check=False,
    )


def export_table(found: list[Row]) -> str:
    """A line for each model, and the sum."""
    lines = [f"{'model':20s} {'status':12s} {'optimum':>16s} agrees again compression  solve.py"]
    for row in found:
        value = row.optimum if isinstance(row.optimum, str) else f"{row.optimum or 0:.10g}"
        value = "open" if row.optimum is None else value
        lines.append(
            f"{row.model:20s} {row.status:12s} {value:>16s} {'yes' if row.agrees else 'NO':6s} "
            f"{'yes' if row.regenerated else 'NO':5s} {row.compression:11.1f}  {row.reached}"
        )
    good = sum(row.agrees and row.regenerated for row in found)
    return "\n".join([*lines, f"{good} of {len(found)} reach the optimum from the folder alone"])
