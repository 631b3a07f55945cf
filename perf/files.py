"""Speed of reading model files against HiGHS's reader on the same files, in one run."""

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import highspy

from ordojo.core.errors import UsageError
from ordojo.milp.files import read_problem
from perf.figure import command
from perf.structure import unpacked

MODELS = (
    *("mps/afiro.mps.gz", "mps/egout.mps.gz", "mps/F36N.lp.gz", "mps/N1C3W1_A.lp.gz"),
    *("mps/25fv47.mps.gz", "mps/cap44.lp.gz", "mps/air05.mps.gz", "mnl-mps/ex10.mps.xz"),
    "mps/fast0507.mps.gz",
)
"""From 3 kB to 17 MB, both formats."""
SECONDS = 1.0
"""How long one reader is tried on one file: small files often, large ones at least three times."""


def bench_files(folder: str = "") -> list[tuple[str, float, str, str]]:
    """Time of our reader over HiGHS's, a file each, of `folder` or $ORDOJO_DATA."""
    root = Path(folder or os.environ.get("ORDOJO_DATA", ""))
    if not (root / MODELS[0]).exists():
        raise UsageError(f"no {MODELS[0]} below '{root}'; set ORDOJO_DATA or give --folder")
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        for model in MODELS:
            path = unpacked(root / model, Path(scratch))
            size = path.stat().st_size
            target = "at most 1" if size < 100_000 else "at most 2" if size > 1_000_000 else ""
            name = f"reading / HiGHS, {path.name}, {size / 1000:,.0f} kB"
            ratio = least(read_problem, path) / least(_by_highs, path)
            rows.append((name, ratio, "times the time", target))
    return rows


def least(read: Callable[[Path], object], path: Path) -> float:
    """The least processor seconds of several runs."""
    found, end = list[float](), time.perf_counter() + SECONDS
    while len(found) < 3 or time.perf_counter() < end:
        begin = time.process_time()
        read(path)
        found.append(time.process_time() - begin)
    return min(found)


def _by_highs(path: Path) -> object:
    h = highspy.Highs()  # type: ignore[no-untyped-call]
    h.setOptionValue("output_flag", False)
    return h.readModel(str(path))


if __name__ == "__main__":
    command(bench_files)()
