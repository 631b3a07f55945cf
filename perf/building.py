"""Building speed: a large model through our gurobipy against the real one, in the same run."""

import gc
import importlib.util
import json
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from ordojo.core.errors import SolverError
from perf.figure import command

Row = tuple[str, float, str, str]
_TERMS = 5
STYLES = ("addConstr", "addConstrs")


def bench_building(rows: int = 200_000, repeats: int = 3) -> list[Row]:
    """Time and memory of a model with `rows` rows, as many columns and five terms a row.

    Each build runs in a process of its own, ours and real gurobipy's in turn; the figures are
    medians, and times are the processes' own (CPU). Without gurobipy only ours are given.
    """
    real = importlib.util.find_spec("gurobipy") is not None
    found: list[Row] = []
    for style in STYLES:
        ours: list[dict[str, float]] = []
        theirs: list[dict[str, float]] = []
        for _ in range(repeats):
            ours.append(_run("ordojo.compat.gurobipy", style, rows))
            if real:
                theirs.append(_run("gurobipy", style, rows))
        name = f"build {rows} rows, {style} + quicksum"
        seconds = statistics.median(run["seconds"] for run in ours)
        found.append((f"{name}, ours", seconds, "s", ""))
        if real:
            for what, target in (("seconds", "at most 0.7"), ("bytes", "at most 1")):
                pairs = zip(ours, theirs, strict=True)
                ratio = statistics.median(mine[what] / yours[what] for mine, yours in pairs)
                label = "time" if what == "seconds" else "memory"
                found.append((f"{name}, {label}, ours / gurobipy", ratio, "ratio", target))
    return found


def _run(module: str, style: str, rows: int) -> dict[str, float]:
    """One build in a fresh process."""
    command = [sys.executable, "-m", "perf.building", module, style, str(rows)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SolverError(
            f"building with {module} failed: {done.stderr.strip()[-300:]}; see that it is whole"
        )
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def build(gurobipy: Any, style: str, rows: int) -> dict[str, float]:
    """Build the model with a gurobipy module; CPU seconds, bytes and nonzeros."""
    draw = random.Random(1)
    columns = [[draw.randrange(rows) for _ in range(_TERMS)] for _ in range(rows)]
    values = [[draw.uniform(1, 9) for _ in range(_TERMS)] for _ in range(rows)]
    quicksum = gurobipy.quicksum
    gc.collect()
    before, start = _resident(), time.process_time()
    model = gurobipy.Model()
    x = model.addVars(rows, name="x")
    if style == "addConstr":
        for a, js in zip(values, columns, strict=True):
            model.addConstr(quicksum(c * x[j] for c, j in zip(a, js, strict=True)) <= 1.0)
    else:
        model.addConstrs(
            (
                quicksum(c * x[j] for c, j in zip(values[i], columns[i], strict=True)) <= 1.0
                for i in range(rows)
            ),
            name="row",
        )
    model.setObjective(x.sum(), -1)
    model.update()
    seconds = time.process_time() - start
    return {
        "seconds": seconds,
        "bytes": float(_resident() - before),
        "nonzeros": float(model.NumNZs),
    }


def _resident() -> int:
    """The process's resident memory in bytes."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096


def main(arguments: list[str]) -> Any:
    """The bench; or, as its worker, build once as `module style rows` say and print JSON."""
    if len(arguments) != 3:
        return command(bench_building)(arguments)
    module, style, rows = arguments
    gurobipy = importlib.import_module(module)
    sys.stdout.write(json.dumps(build(gurobipy, style, int(rows))) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
