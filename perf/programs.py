"""Whether exported programs are their models: entry by entry, and by the optimum they reach."""

import lzma
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ordojo.formulation.spec import Family, Group
from ordojo.structures import read_mps
from ordojo.structures.abstraction import abstract
from ordojo.structures.blueprint.export import export as export_instance
from ordojo.structures.flat import Flat, read_flat
from ordojo.structures.formulation.formulate import formulate
from ordojo.structures.formulation.spec import Formulation, data_files, solve_py

_TYPES = ["continuous", "integer", "semicontinuous", "semiinteger"]


@dataclass(frozen=True)
class Program:
    """One model: the parts in which the program's model differs, and the optima as text."""

    model: str
    differing: tuple[str, ...]
    nonzeros: int
    characters: int
    seconds: float
    status: str = ""
    optimum: float = float("nan")
    reached: float = float("nan")


def export(formulation: Formulation, folder: Path) -> Path:
    """Write solve.py and its data to a folder; the program's path."""
    for name, text in {**data_files(formulation), "solve.py": solve_py(formulation)}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder / "solve.py"


def built(program: Path) -> Any:
    """What the program's `build` makes; only for programs that this package wrote."""
    space: dict[str, Any] = {"__name__": "exported", "__file__": str(program)}
    exec(compile(program.read_text(encoding="utf-8"), str(program), "exec"), space)
    return space["build"]()


def program_names(formulation: Formulation) -> tuple[list[str], list[str]]:
    """For each MPS column and row, the name in the exported program: `x[1,oslo]`."""
    spec = formulation.spec
    return _names(formulation, spec.groups), _names(formulation, spec.families)


def _names(f: Formulation, units: Sequence[Group | Family]) -> list[str]:
    found: dict[int, str] = {}
    for one in units:
        for place, key in zip(f.units[one.name].items.tolist(), f.keys(one.name), strict=True):
            found[place] = f"{one.name}[{','.join(map(str, key))}]" if key else one.name
    return [found[place] for place in range(len(found))]


def differing(flat: Flat, formulation: Formulation, model: Any) -> tuple[str, ...]:
    """The parts in which a built model is not the flat one, up to the order of rows and columns.

    Numbers are compared by their bits. Parts: names, columns, sides, entries, objective.
    """
    cols, rows = program_names(formulation)
    column = {name: k for k, name in enumerate(cols)}
    row = {name: k for k, name in enumerate(rows)}
    mine = [one[0] for one in model.columns], [one[0] for one in model.rows]
    if sorted(mine[0]) != sorted(column) or sorted(mine[1]) != sorted(row):
        return ("names",)
    at = np.array([column[name] for name in mine[0]], np.int64)
    to = np.array([row[name] for name in mine[1]], np.int64)
    found = []
    parts = zip(*model.columns, strict=True) if model.columns else ((),) * 5
    _, lower, upper, kinds, costs = parts
    types = ["integer" if kind == "binary" else kind for kind in kinds]
    same = types == [_TYPES[code] for code in flat.types[at]]
    if not (same and _same(lower, flat.lower[at]) and _same(upper, flat.upper[at])):
        found.append("columns")
    low, high = flat.row_bounds
    sides = [one[1] for one in model.rows], [one[2] for one in model.rows]
    if not (_equal(sides[0], low[to]) and _equal(sides[1], high[to])):
        found.append("sides")
    entries = [(int(r), at[c], v) for r, one in zip(to, model.rows, strict=True) for c, v in one[3]]
    i, j, v = (np.array([entry[k] for entry in entries]) for k in range(3))
    order = np.lexsort((i, j)) if len(i) else np.zeros(0, np.int64)
    whole = len(i) == flat.nonzeros and (not len(i) or (
        np.array_equal(i[order], flat.index) and np.array_equal(j[order], flat.entry_cols)
        and _same(v[order], flat.value)
    ))  # fmt: skip
    if not whole:
        found.append("entries")
    goal = model.maximize == flat.maximize and _same([model.offset], np.array([flat.offset]))
    if not (goal and _same(costs, flat.objective[at])):
        found.append("objective")
    return tuple(found)


def _same(values: Any, others: Any) -> bool:
    return bool(np.asarray(values, np.float64).tobytes() == others.tobytes())


def _equal(values: Any, others: Any) -> bool:
    return bool(np.array_equal(np.asarray(values, np.float64), others))


def programs(folder: Path, models: Iterable[str], solve: float = 0.0) -> list[Program]:
    """Models of a folder exported, built, compared; with `solve` seconds, solved both ways."""
    return [_program(folder / f"{model}.mps.xz", model, solve) for model in models]


def _program(path: Path, model: str, solve: float) -> Program:
    flat = read_mps(path)
    begin = time.perf_counter()
    formulation = formulate(flat, abstract(flat))
    with tempfile.TemporaryDirectory() as place:
        program = export(formulation, Path(place))
        parts = differing(flat, formulation, built(program))
        whole = time.perf_counter() - begin
        size = len(program.read_text(encoding="utf-8"))
        if not solve:
            return Program(model, parts, flat.nonzeros, size, whole)
        reached, status = run(program, solve)
    return Program(model, parts, flat.nonzeros, size, whole, status, optimum(path, solve), reached)


def run(program: Path, seconds: float) -> tuple[float, str]:
    """The objective and the status that a program prints, run on its own in its folder."""
    done = subprocess.run(
        [sys.executable, program.name, str(seconds)],
        cwd=program.parent, capture_output=True, text=True, check=False,
    )  # fmt: skip
    said = dict(line.split(": ", 1) for line in done.stdout.splitlines() if ": " in line)
    return float(said.get("objective", "nan")), said.get("status", done.stderr.strip()[-200:])


def optimum(path: Path, seconds: float) -> float:
    """What HiGHS finds for the MPS file itself, packed with xz."""
    import highspy

    highs: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("time_limit", seconds)
    with tempfile.TemporaryDirectory() as place:
        plain = Path(place) / "model.mps"
        plain.write_bytes(lzma.decompress(path.read_bytes()))
        highs.readModel(str(plain))
    highs.run()
    return float(highs.getInfo().objective_function_value)


def program_table(found: list[Program]) -> str:
    """A line for each model."""
    lines = [f"{'model':24s} nonzeros characters seconds  the same"]
    for one in found:
        verdict = "yes" if not one.differing else ", ".join(one.differing) + " differ"
        ends = f"  {one.status}: {one.reached!r} against {one.optimum!r}" if one.status else ""
        sizes = f"{one.nonzeros:8d} {one.characters:10d} {one.seconds:7.1f}"
        lines.append(f"{one.model:24s} {sizes}  {verdict}{ends}")
    equal = sum(not one.differing for one in found)
    lines.append(f"{equal} of {len(found)} the same")
    return "\n".join(lines)


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
            done = export_instance(
                flat, abstract(flat), Path(place) / "made", name=name, seconds=seconds
            )
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
