"""Whether exported programs are their models: entry by entry, and by the optimum they reach."""

import lzma
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ordojo.structure.abstraction import abstract
from ordojo.structure.flat import Flat
from ordojo.structure.formulation.files import data_files
from ordojo.structure.formulation.formulate import formulate
from ordojo.structure.formulation.members import program_names
from ordojo.structure.formulation.program import solve_py
from ordojo.structure.formulation.spec import Formulation
from ordojo.structure.reader import read_mps

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
