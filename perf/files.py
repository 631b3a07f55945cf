"""Speed of reading model files against HiGHS's reader on the same files, in one run.

Of each file first in whole processes, from Python's start on, that load a reader and read it: what
a user's first call takes, nothing compiled beforehand but Python's bytecode, as pip does. Then of
many readings in one process: what one more file takes. The readers take turns; the least counts.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
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
SECONDS = 6.0
"""How long two readers are tried on one file: small ones often, large ones thrice or more."""
_OURS = "from ordojo.milp.files import read_problem; read_problem(sys.argv[1])"
_HIGHS = "import highspy; h = highspy.Highs(); h.silent(); h.readModel(sys.argv[1])"


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
            file = f"{path.name}, {size / 1000:,.0f} kB"
            ours, highs = least([_process(code, scratch) for code in (_OURS, _HIGHS)], path)
            name = f"first call / HiGHS ({highs:.2f} s), {file}"
            rows.append((name, ours / highs, "times the time", target))
            ours, highs = least([read_problem, _by_highs], path)
            rows.append((f"one more / HiGHS, {file}", ours / highs, "times the time", ""))
    return rows


def least(readers: Sequence[Callable[[Path], object]], path: Path) -> list[float]:
    """The least processor seconds of each reader, those of processes that they start counted."""
    found, end = [list[float]() for _ in readers], time.perf_counter() + SECONDS
    while len(found[0]) < 3 or time.perf_counter() < end:
        for seconds, read in zip(found, readers, strict=True):
            begin = _used()
            read(path)
            seconds.append(_used() - begin)
    return [min(seconds) for seconds in found]


def _used() -> float:
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


def _process(code: str, bytecode: str) -> Callable[[Path], object]:
    """What runs code in a process of its own, whose bytecode is kept in a folder."""
    kept = {"PYTHONPYCACHEPREFIX": bytecode, "PYTHONDONTWRITEBYTECODE": ""}
    return lambda path: subprocess.run(
        [sys.executable, "-c", f"import sys; {code}", path], check=True, env=os.environ | kept
    )


def _by_highs(path: Path) -> object:
    h = highspy.Highs()  # type: ignore[no-untyped-call]
    h.setOptionValue("output_flag", False)
    return h.readModel(str(path))


if __name__ == "__main__":
    command(bench_files)()
