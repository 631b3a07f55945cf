"""Speed of the room: reading and abstracting against HiGHS reading the same file, in one run."""

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import highspy
import numpy as np

from ordojo.core.errors import DataError
from ordojo.structure.abstraction import abstract
from ordojo.structure.reader import read_mps
from ordojo.structure.reader.stream import PACKED

SMALL, OFTEN = 4_000_000, 5
"""Bytes below which a file is small, and how much more often one is read."""


@dataclass(frozen=True)
class Speed:
    """Processor seconds for one file, each the least of several alternating runs."""

    name: str
    nonzeros: int
    highs: float
    read: float
    abstraction: float

    @property
    def reading(self) -> float:
        """How many times HiGHS takes as long as our reader."""
        return self.highs / self.read


def speed(path: Path, repeats: int = 5) -> Speed:
    """Measure one file that is not packed; a small one, easily disturbed, more often."""
    ways: dict[str, Callable[[], object]] = {
        "highs": lambda: _highs(path),
        "read": lambda: read_mps(path),
    }
    least = dict.fromkeys(ways, float("nan"))
    small = path.stat().st_size < SMALL
    for _ in range(repeats * (OFTEN if small else 1)):
        for name, work in ways.items():
            least[name] = float(np.fmin(least[name], _seconds(work)))
    flat = read_mps(path)
    # What a large abstraction costs is far above what a run disturbs.
    found = min(_seconds(lambda: abstract(flat)) for _ in range(repeats if small else 2))
    return Speed(path.name, flat.nonzeros, **least, abstraction=found)


def growth(folder: Path, sizes: tuple[int, ...], repeats: int = 3) -> list[Speed]:
    """Measure planning models of several sizes, written to a folder."""
    found = []
    for size in sizes:
        path = folder / f"plan{size}.mps"
        write_plan(path, size)
        found.append(speed(path, repeats))
        path.unlink()
    return found


def large(path: Path) -> dict[str, float]:
    """Seconds and peak memory of reading and abstracting a file, in a process of its own."""
    code = (
        "import json, resource, sys, time\n"
        "from ordojo.structure import abstract, read_mps\n"
        # A child's ru_maxrss begins with its parent's; Linux has the process's own peak as well.
        "def peak():\n"
        "    try:\n"
        "        lines = open('/proc/self/status').read().splitlines()\n"
        "        return next(int(one.split()[1]) for one in lines if one.startswith('VmHWM'))\n"
        "    except (OSError, StopIteration):\n"
        "        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "begin = time.process_time(); flat = read_mps(sys.argv[1])\n"
        "middle = time.process_time(); abstract(flat)\n"
        "print(json.dumps({'rows': flat.m, 'nonzeros': flat.nonzeros, 'read': middle - begin,"
        " 'abstract': time.process_time() - middle,"
        " 'gigabytes': peak() / 1e6}))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:]
        raise DataError(f"{path.name}: could not be measured: {' '.join(last)}")
    return {name: float(value) for name, value in json.loads(done.stdout).items()}


def unpacked(path: Path, folder: Path) -> Path:
    """The file itself, or what it packs, in a folder."""
    if path.suffix not in PACKED:
        return path
    target = folder / path.stem
    with PACKED[path.suffix](path, "rb") as packed, target.open("wb") as plain:
        shutil.copyfileobj(packed, plain)
    return target


def write_plan(path: Path, rows: int, seed: int = 0) -> None:
    """Write a lot-sizing model of about so many rows, with 2.7 coefficients a row."""
    periods = 24
    items = max(1, round(rows / (3 * periods)))
    draw = np.random.default_rng(np.random.SeedSequence([seed, 0, items]))
    use, most = draw.integers(1, 40, items), draw.integers(50, 400, items)
    need = draw.integers(0, 90, (items, periods))
    with path.open("w") as file:
        file.write(f"NAME plan{rows}\nROWS\n N cost\n")
        file.writelines(f" L capacity[{t}]\n" for t in range(periods))
        for kind, sense in (("balance", "E"), ("setup", "L"), ("rest", "L")):
            file.writelines(f" {sense} {kind}[{i},{t}]\n" for i, t in _places(items, periods))
        file.write("COLUMNS\n")
        for i, t in _places(items, periods):
            file.write(
                f" make[{i},{t}] balance[{i},{t}] 1 setup[{i},{t}] 1\n"
                f" make[{i},{t}] capacity[{t}] {use[i]}\n"
            )
        for i, t in _places(items, periods):
            file.write(f" stock[{i},{t}] cost 0.25 balance[{i},{t}] -1\n")
            if t + 1 < periods:
                file.write(f" stock[{i},{t}] balance[{i},{t + 1}] 1\n")
        file.write(" M 'MARKER' 'INTORG'\n")
        for i, t in _places(items, periods):
            file.write(
                f" start[{i},{t}] cost 12.5 setup[{i},{t}] {-most[i]}\n"
                f" start[{i},{t}] rest[{i},{t}] 1\n"
            )
            if t:
                file.write(f" start[{i},{t}] rest[{i},{t - 1}] 1\n")
        file.write(" M 'MARKER' 'INTEND'\nRHS\n")
        file.writelines(f" B capacity[{t}] {20 * items}\n" for t in range(periods))
        for i, t in _places(items, periods):
            file.write(f" B balance[{i},{t}] {need[i, t]} rest[{i},{t}] 1\n")
        file.write("BOUNDS\n")
        file.writelines(f" BV B start[{i},{t}]\n" for i, t in _places(items, periods))
        file.write("ENDATA\n")


def _places(items: int, periods: int) -> Iterator[tuple[int, int]]:
    return ((i, t) for i in range(items) for t in range(periods))


def _highs(path: Path) -> None:
    h = highspy.Highs()  # type: ignore[no-untyped-call]
    h.setOptionValue("output_flag", False)
    if h.readModel(str(path)) == highspy.HighsStatus.kError:
        raise DataError(f"{path.name}: HiGHS cannot read it; take another file")


def _seconds(work: Callable[[], object]) -> float:
    """Processor time, so that other programs on the machine count little."""
    begin = time.process_time()
    work()
    return time.process_time() - begin
