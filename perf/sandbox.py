"""The sandbox's own speed: programs a second, against a new interpreter for each of them."""

import importlib.util
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from ordojo.core.errors import SandboxError
from ordojo.sandbox.sandbox import Sandbox
from perf.figure import command

_EVERY = 10  # one of so many programs is also given to a new interpreter: those are slow

_PROGRAM = """
import numpy as np
{table}
rng = np.random.default_rng({seed})
cost = rng.integers(1, 50, size=(12, 8))
supply = rng.integers(20, 60, size=12)
best = cost.argmin(axis=1)
total = int((cost.min(axis=1) * supply).sum())
print("cheapest warehouse for each customer:", best.tolist())
{shown}
print("objective value:", total)
"""
_TABLE = "import pandas as pd"
_SHOWN = (
    'print(pd.DataFrame({"best": best, "supply": supply}).groupby("best").supply.sum().to_dict())'
)


def bench_sandbox(
    programs: int = 200, isolation: str = "auto"
) -> list[tuple[str, float, str, str]]:
    """Measure on `programs` small programs that import numpy (and pandas where installed).

    Every tenth also runs by `subprocess.run([python, file])`, in turn with the others, and must
    print the same. Rows of name, value, unit and target; SandboxError where programs cannot be
    contained or the two ways disagree.
    """
    pandas = importlib.util.find_spec("pandas") is not None
    sources = [
        _PROGRAM.format(seed=i, table=_TABLE if pandas else "", shown=_SHOWN if pandas else "")
        for i in range(programs)
    ]
    ours, theirs = [], []
    with Sandbox(isolation) as sandbox, tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "program.py")
        sandbox.run(sources[0])
        for number, source in enumerate(sources):
            began = time.perf_counter()
            done = sandbox.run(source)
            ours.append(time.perf_counter() - began)
            if number % _EVERY:
                continue
            file.write_text(source)
            began = time.perf_counter()
            plain = subprocess.run([sys.executable, str(file)], capture_output=True, text=True)
            theirs.append(time.perf_counter() - began)
            if not done.ok or plain.stdout != done.stdout:
                raise SandboxError(f"program {number} did not do the same in the sandbox")
        barriers = sandbox.isolation
    fast, slow = len(ours) / sum(ours), len(theirs) / sum(theirs)
    libraries = "numpy and pandas" if pandas else "numpy"
    return [
        (f"sandbox ({barriers}), programs with {libraries}", fast, "programs/s", ""),
        ("a new interpreter for each of them", slow, "programs/s", ""),
        ("sandbox / new interpreter", fast / slow, "times as many", "25 or more"),
    ]


if __name__ == "__main__":
    command(bench_sandbox)()
