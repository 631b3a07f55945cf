"""Explanations of infeasible models beside optlens: seconds, conflicts, one-change repairs.

Twenty public models and six of 50,000 to 300,000 rows; one that is feasible is changed, mostly by a
right side ten times what it was, or a tenth, as by a slip of a unit. Both read the same file, name
a conflict and offer repairs, each in a process of its own, whose imports are not counted.
"""

import ctypes
import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import click

from ordojo.api.reading import read_model
from ordojo.core.errors import UsageError
from ordojo.milp.files import write_model
from ordojo.solvers.asked.edits import edited
from ordojo.solvers.problem import Problem

INFEASIBLE = (
    *("mps/klein1.mps.gz", "mps/bgetam.mps.gz", "mps/ex72a.mps.gz", "mps/forest6.mps.gz"),
    *("mps/refinery.mps.gz", "mps/cplex1.mps.gz", "mps/edge/galenet.mps"),
    *("mps/edge/infeasible-mip0.mps", "mps/edge/infeasible-mip1.mps", "mps/edge/stein27_inf.lp"),
)
SLIPS = {
    "mps/boeing2.mps.gz": ("MSCLEORD >= 60",),
    "mps/scagr25.mps.gz": ("ROW00329 = 69000",),
    "mps/etamacro.mps.gz": ("AVPETG01 <= 100",),
    "mps/finnis.mps.gz": ("3CPTE23 = 20",),
    "mps/israel.mps.gz": ("B42 <= 93",),
    "mps/capri.mps.gz": ("RES79 = -22.0004",),
    "mps/scfxm1.mps.gz": ("1MS042 = 153",),
    "mps/ship04s.mps.gz": ("BAL0119 = 114.484",),
    "mps/25fv47.mps.gz": ("RH060 <= 39.04",),
    "mps/degen2.mps.gz": ("P034016A <= -20",),
    "mnl-mps/graph40-20-1rand.mps.xz": ("EdgeDisjoint_0 <= -1",),
    "mnl-mps/opm2-z8-s0.mps.xz": ("x[1] >= 1", "Capacity_Res1 <= 109772.8"),
    "mnl-mps/graphdraw-opmanager.mps.xz": ("pair_select_564.0 = 10",),
    "mps/irish-electricity.mps.gz": ("Demand_48 = 28670",),
    "mnl-mps/opm2-z10-s4.mps.xz": ("x[1] >= 1", "Capacity_Res1 <= 214400"),
    "mnl-mps/graphdraw-grafo2.mps.xz": ("pair_select_564.0 = 10",),
}
"""What is changed in a feasible model, as `ordojo whatif --set` takes it."""
CHILD_SUBREAPER = 36
"""Of Linux's prctl: processes that outlive a tool become this one's, so their time is known."""

SECONDS = 180
"""After which a tool is stopped."""

_CLOCK = """
import json, sys, time

begin, before = time.perf_counter(), time.process_time()

def told(rows, bounds, one):
    print("told", json.dumps([time.perf_counter() - begin, before, rows, bounds, one]), flush=True)
"""
OURS = f"""
from ordojo import explain
{_CLOCK}
found = explain(sys.argv[1])
iis = found.iis
size = (None, None) if iis is None else (len(iis.rows), len(iis.bounds))
told(*size, any(len(repair.shifts) == 1 for repair in found.repairs))
"""
THEIRS = f"""
import optlens
{_CLOCK}
if __name__ == "__main__":
    model = optlens.load(sys.argv[1])
    backend = optlens.default_backend(model)
    iis = optlens.get_iis(model, backend)
    menu = optlens.fix_menu(model, backend)
    one = any(each["sufficient"] and len(each["changes"]) == 1 for each in menu)
    told(len(iis.rows), len(iis.col_bounds) if iis.bounds_reported else None, one)
"""


class Told(NamedTuple):
    """What a tool needed and found; `bounds` is None where it does not say them."""

    wall: float
    processor: float
    rows: int | None
    bounds: int | None
    one: bool


def models(root: Path, folder: Path, only: tuple[str, ...]) -> Iterator[tuple[Path, str, int]]:
    """Each model as a plain MPS file, what was changed, and its rows."""
    for name in (*INFEASIBLE, *SLIPS):
        if only and Path(name).name.partition(".")[0] not in only:
            continue
        if not (root / name).exists():
            raise UsageError(f"no {name} below '{root}'; set ORDOJO_DATA")
        problem, edits = Problem(read_model(root / name)), SLIPS.get(name, ())
        for edit in edits:
            problem = edited(problem, edit).problem
        path = folder / f"{Path(name).name.partition('.')[0]}.mps"
        if not path.exists():
            write_model(problem, path)
        yield path, ", ".join(f"`{edit}`" for edit in edits), problem.model.m


def by(python: str, program: str, path: Path) -> Told | str:
    """What a tool tells of a model, or why it tells nothing."""
    source = path.with_suffix(".py")  # a file, as tools start processes that import it anew
    source.write_text(program, "utf-8")
    before = _spent()
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [python, source, path], stdout=pipe, stderr=pipe, text=True, start_new_session=True
    ) as running:
        try:
            out, wrong = running.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)  # what it started would go on, and be waited for
            return f"none in {SECONDS} s"
    for line in out.splitlines():
        if line.startswith("told "):
            wall, imports, *found = json.loads(line[5:])
            return Told(wall, _spent() - before - imports, *found)
    return wrong.strip().rpartition("\n")[2][:60] or "nothing"


def _spent() -> float:
    """Processor seconds of all processes that have ended, those that tools start with them."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, 0)[0]:
            pass
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def cells(told: Told | str | None) -> list[Any]:
    """The columns of one tool."""
    if not isinstance(told, Told):
        return [told or "", "", ""]
    bounds = "" if told.bounds is None else f" + {told.bounds}"
    size = "none" if told.rows is None else f"{told.rows}{bounds}"
    return [f"{told.wall:.2f} / {told.processor:.2f}", size, "yes" if told.one else "no"]


@click.command()
@click.option("--optlens", metavar="PYTHON", help="A Python in which optlens is installed.")
@click.option("--only", metavar="NAME", multiple=True, help="These models alone.")
@click.option("--folder", type=click.Path(path_type=Path), default=Path("build/explain"))
def main(optlens: str | None, only: tuple[str, ...], folder: Path) -> None:
    """Print the table, a model a line."""
    folder.mkdir(parents=True, exist_ok=True)
    ctypes.CDLL(None).prctl(CHILD_SUBREAPER, 1)
    print("| model, changed | rows | s | conflict | one ", end="")
    print("| optlens: s | conflict | one |")
    print("|---" * 8 + "|")
    for path, change, rows in models(Path(os.environ.get("ORDOJO_DATA", "")), folder, only):
        found = cells(by(sys.executable, OURS, path))
        found += cells(by(optlens, THEIRS, path) if optlens else None)
        name = ", ".join(filter(None, (path.stem, change)))
        print("|", " | ".join(map(str, [name, f"{rows:,}", *found])), "|", flush=True)


if __name__ == "__main__":
    main()
