"""Runs the programs, under ours or under the real library, and compares what came out.

Measure anew with `python -m tests.compat.programs.suite gurobipy` (or coptpy), where the library
is installed; ORDOJO_COPTPY_PYTHON names an interpreter that has coptpy, which cannot share one
with HiGHS.
"""

import hashlib
import json
import math
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tests.compat.run_shadow as runner

HERE = Path(__file__).parent
FOLDERS = {"gurobipy": HERE / "gurobi", "coptpy": HERE / "copt"}
TOO_LARGE = ("Model too large for size-limited license", "(LICENSE)")
VERSION = {
    "gurobipy": "import gurobipy as g; print('.'.join(map(str, g.gurobi.version())))",
    "coptpy": "import coptpy as c; print(c.COPT.Version)",
}
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\binf\b|\bnan\b)")


@dataclass(frozen=True)
class Run:
    """What one program came to."""

    status: int | None
    objective: float | None
    error: str | None
    message: str
    lines: tuple[str, ...]
    expected: float | None
    told: str = ""

    @property
    def unsupported(self) -> bool:
        return self.error == "NotImplementedError"

    @property
    def too_large(self) -> bool:
        return self.error is not None and any(text in self.message for text in TOO_LARGE)


def programs(library: str) -> list[Path]:
    return sorted(FOLDERS[library].glob("*.py"))


def run_ours(library: str) -> dict[str, Run]:
    return _run([sys.executable, "-m", "tests.compat.run_shadow", "--each"], library)


def interpreter(library: str) -> str | None:
    """An interpreter with the real library, if there is one."""
    chosen = sys.executable
    if library == "coptpy":
        chosen = os.environ.get("ORDOJO_COPTPY_PYTHON", chosen)
    found = subprocess.run([chosen, "-c", VERSION[library]], capture_output=True, check=False)
    return None if found.returncode else chosen


def version(library: str, python: str) -> str:
    """The real library's version; it may say other things on the way, before it."""
    found = subprocess.run([python, "-c", VERSION[library]], capture_output=True, text=True)
    return found.stdout.split()[-1]


def run_real(library: str, python: str) -> dict[str, Run]:
    # The file itself, so that an interpreter without ordojo can run it.
    return _run([python, runner.__file__, "--real", library, "--each"], library)


def _run(command: list[str], library: str) -> dict[str, Run]:
    files = [str(file) for file in programs(library)]
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore"}
    found = subprocess.run(
        [*command, *files], capture_output=True, text=True, timeout=300, env=environment
    )
    runs = {}
    for line in found.stdout.splitlines():
        # The libraries' own banners come on the same stream.
        if line.startswith('{"program"'):
            record = json.loads(line)
            runs[record["program"]] = _of(record)
    assert len(runs) == len(files), found.stderr[-2000:]
    return runs


def _of(record: dict[str, Any]) -> Run:
    error = record["error"] or {}
    return Run(
        record["status"],
        _finite(record["objective"]),
        error.get("class"),
        str(error.get("message", "")),
        tuple(record["lines"]),
        record["expected"],
        str(record.get("stderr", ""))[-400:],
    )


def _finite(value: float | None) -> float | None:
    # Both libraries answer with "infinite" numbers of their own where there is no solution.
    return value if value is not None and math.isfinite(value) and abs(value) < 1e30 else None


def differences(real: Run, ours: Run, solved: int) -> list[str]:
    """In what ours is not as the real one; `solved` is the library's status for an optimum."""
    if real.too_large:
        return _closed_form(ours, solved)
    found = []
    if real.status != ours.status:
        found.append(f"status {real.status}, ours {ours.status}")
    if real.status == solved and not _close(real.objective, ours.objective):
        found.append(f"objective {real.objective}, ours {ours.objective}")
    if real.error != ours.error:
        found.append(f"exception {real.error}, ours {ours.error}: {ours.message}")
    pairs = zip(_padded(real, ours), _padded(ours, real), strict=True)
    return found + [f"prints {a!r}, ours {b!r}" for a, b in pairs if not _same(a, b)]


def _padded(run: Run, other: Run) -> list[str]:
    missing = max(len(other.lines) - len(run.lines), 0)
    return [*run.lines, *["(nothing)"] * missing]


def _closed_form(ours: Run, solved: int) -> list[str]:
    """For models over the real one's free size: the program computes the optimum another way."""
    found = [] if ours.error is None else [f"ours ends with {ours.error}: {ours.message}"]
    if ours.status != solved:
        found.append(f"status {ours.status} is not optimal")
    if ours.expected is None or not _close(ours.expected, ours.objective):
        found.append(f"objective by closed form {ours.expected}, ours {ours.objective}")
    return found


def _close(first: float | None, second: float | None) -> bool:
    if first is None or second is None:
        return first is second
    return abs(first - second) <= 1e-6 + 1e-5 * max(abs(first), abs(second))


def _same(first: str, second: str) -> bool:
    if _NUMBER.split(first) != _NUMBER.split(second):
        return False
    numbers = zip(_NUMBER.findall(first), _NUMBER.findall(second), strict=True)
    return all(a == b or _close(float(a), float(b)) for a, b in numbers)


def stored_path(library: str) -> Path:
    return HERE / f"measured-{library}.json"


def stored(library: str) -> tuple[str, dict[str, Run]]:
    """The version measured, and what each program came to; a changed program is not among them."""
    content = json.loads(stored_path(library).read_text(encoding="utf-8"))
    runs = {}
    for file in programs(library):
        entry = content["programs"].get(file.stem)
        if entry and entry.pop("source") == digest(file):
            runs[file.stem] = Run(**entry | {"lines": tuple(entry["lines"]), "expected": None})
    return content["version"], runs


def digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()[:12]


def measure(library: str) -> int:
    """Run all under the real library and store what it says; how many there are."""
    python = interpreter(library)
    if python is None:
        raise SystemExit(f"{library} is not installed; install it, or name an interpreter with it")
    runs = run_real(library, python)
    entries = {
        file.stem: {
            "source": digest(file),
            "status": runs[file.stem].status,
            "objective": runs[file.stem].objective,
            "error": runs[file.stem].error,
            "message": runs[file.stem].message,
            "lines": list(runs[file.stem].lines),
        }
        for file in programs(library)
    }
    content = {"library": library, "version": version(library, python), "programs": entries}
    stored_path(library).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    return len(entries)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(f"{name}: {measure(name)} programs")
