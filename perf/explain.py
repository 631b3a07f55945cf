"""Explanations of infeasible models: seconds, conflicts, one-change repairs; beside optlens."""

import json
import os
import subprocess
import time
from pathlib import Path

import click
import numpy as np

from ordojo.api import models
from ordojo.core.errors import UsageError
from ordojo.milp.builder import ModelBuilder
from ordojo.milp.files import write_model
from ordojo.milp.model import INF, Model

NAMES = ("klein1", "bgetam", "ex72a", "forest6", "refinery", "cplex1")
"""The infeasible models among the public ones that `make data` brings."""

_OPTLENS = """
import json, sys, time
import optlens
model = optlens.load(sys.argv[1])
begin, spent = time.perf_counter(), time.process_time()
backend = optlens.default_backend(model)
optlens.get_iis(model, backend)
optlens.fix_menu(model, backend)
print(json.dumps([time.perf_counter() - begin, time.process_time() - spent]))
"""


def chain(rows: int, seed: int = 1) -> Model:
    """A production chain of so many periods whose demand exceeds what two of them can make."""
    rng = np.random.default_rng(seed)
    b = ModelBuilder(f"chain-{rows}")
    demand = rng.integers(5, 9, rows).astype(float)
    demand[rows // 2 : rows // 2 + 2] = 60.0
    for t in range(rows):
        b.col(f"make[{t}]", 1.0, 0.0, 10.0)
        b.col(f"keep[{t}]", 0.1, 0.0, 15.0 if t < rows - 1 else INF)
    for t in range(rows):
        flow = {f"make[{t}]": 1.0, f"keep[{t}]": -1.0} | ({f"keep[{t - 1}]": 1.0} if t else {})
        b.row(f"balance[{t}]", flow, "==", float(demand[t]))
    return b.build()


@click.command()
@click.option("--optlens", metavar="PYTHON", help="A Python in which optlens is installed.")
@click.option("--rows", type=int, multiple=True, default=(50_000,), show_default=True)
@click.option("--folder", type=click.Path(path_type=Path), default=Path("build/explain"))
def main(optlens: str | None, rows: tuple[int, ...], folder: Path) -> None:
    """Explain each model once; wall and processor seconds, without reading."""
    root = Path(os.environ.get("ORDOJO_DATA", ""), "mps")
    if not (root / "klein1.mps.gz").exists():
        raise UsageError(f"no klein1.mps.gz below '{root}'; set ORDOJO_DATA")
    folder.mkdir(parents=True, exist_ok=True)
    paths = [root / f"{name}.mps.gz" for name in NAMES]
    for count in rows:
        paths.append(folder / f"chain-{count}.mps")
        if not paths[-1].exists():
            write_model(chain(count), paths[-1])
    print("model: wall s, processor s, rows + bounds of the conflict, one change, optlens wall")
    for path in paths:
        begin, spent = time.perf_counter(), time.process_time()
        found = models.explain(path)
        wall, own = time.perf_counter() - begin, time.process_time() - spent
        iis = found.iis
        size = "none" if iis is None else f"{len(iis.rows)} + {len(iis.bounds)}"
        one = any(len(repair.shifts) == 1 for repair in found.repairs)
        beside = ""
        if optlens:
            other = subprocess.run(
                [optlens, "-c", _OPTLENS, str(path)], capture_output=True, text=True, check=False
            )
            beside = other.stderr.strip().rpartition("\n")[2][:80]
            if other.returncode == 0:
                theirs = json.loads(
                    other.stdout.rpartition("[")[1] + other.stdout.rpartition("[")[2]
                )
                beside = f"{theirs[0]:.2f}, ratio {wall / theirs[0]:.2f}"
        print(f"{path.name}: {wall:.2f}, {own:.2f}, {size}, {'yes' if one else 'no'}, {beside}")


if __name__ == "__main__":
    main()
