"""Speed of structure: reading and abstracting against HiGHS reading the same file, in one run."""

import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import highspy
import numpy as np

from ordojo.core.errors import DataError, UsageError
from ordojo.core.files import PACKED, open_file
from ordojo.structures import read_mps
from ordojo.structures.abstraction import Report, abstract
from perf.figure import Figure, show
from perf.grouping import round_trip_table, round_trips

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
        "from ordojo.structures import abstract, read_mps\n"
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
    with open_file(path, unpack=True) as packed, target.open("wb") as plain:
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


SIZES = (20_000, 40_000, 80_000, 160_000)
"""Rows of the models whose cost is compared."""

LARGE = 1_000_000
ENDINGS = (".mps", ".mps.gz", ".mps.xz", ".mps.bz2", ".lp", ".lp.gz")


def bench_structure(
    files: Sequence[Path] = (), whole: bool = False, sizes: tuple[int, ...] = SIZES
) -> tuple[list[Figure], list[Speed]]:
    """Measure files (or generated models alone), four sizes, and with `whole` the large model.

    Gives the figures, and what was measured for the sizes. Raises DataError for a bad file.
    """
    figures = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        found = [speed(unpacked(path, folder)) for path in files]
        points = growth(folder, sizes)
        for one in [*found, points[-1]]:
            figures += [
                Figure(f"HiGHS / reading, {one.name}", one.reading, "times the time", ""),
                Figure(
                    f"abstraction / HiGHS reading, {one.name}", one.abstraction / one.highs,
                    "times the time", "at most 3",
                ),
            ]  # fmt: skip
        rates = [point.abstraction / point.nonzeros for point in points]
        figures.append(
            Figure(
                f"cost a nonzero, {sizes[-1]:,} rows / {sizes[0]:,}", rates[-1] / rates[0],
                "times the time", "about 1",
            )
        )  # fmt: skip
        if len(found) > 1:
            middle = statistics.median(one.reading for one in found)
            figures.append(Figure("HiGHS / reading, median", middle, "times the time", ""))
        if whole:
            write_plan(folder / "large.mps", LARGE)
            most = large(folder / "large.mps")
            what = f"{most['rows']:,.0f} rows, {most['nonzeros']:,.0f} nonzeros"
            figures += [
                Figure(f"read, {what}", most["read"], "s", ""),
                Figure("read and abstracted", most["read"] + most["abstract"], "s", "under 15"),
                Figure("peak memory", most["gigabytes"], "GB", "under 2"),
            ]
    return figures, points


def models_in(folder: Path) -> list[Path]:
    """The models of a folder, by name; raises UsageError where there is none."""
    found = sorted(
        path for path in folder.rglob("*") if path.is_file() and path.name.endswith(ENDINGS)
    )
    if not found:
        raise UsageError(f"bench: {folder} holds no model ({', '.join(ENDINGS)})")
    return found


def trip_json(found: Iterable[tuple[str, Report | str, float]]) -> str:
    """The round trips of a folder as JSON: a report of each model, or why it was refused."""
    rows = [
        {"file": name, "seconds": seconds}
        | ({"refused": report} if isinstance(report, str) else report.to_json())
        for name, report, seconds in found
    ]
    return json.dumps(rows, indent=2)


def growth_svg(points: Sequence[Speed]) -> str:
    """A plot of seconds against nonzeros, with the line through the origin and the last point."""
    width, height, left, low = 560, 340, 70, 50
    most_x = max(point.nonzeros for point in points)
    most_y = max(max(point.abstraction, point.highs) for point in points)

    def at(x: float, y: float) -> tuple[str, str]:
        return (
            f"{left + (width - left - 20) * x / most_x:.1f}",
            f"{height - low - (height - low - 40) * y / most_y:.1f}",
        )

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        f'<path d="M{left} 40V{height - low}H{width - 20}" fill="none" stroke="#4a5a66"/>',
        f'<text x="{width / 2:.0f}" y="{height - 10}" text-anchor="middle">nonzeros</text>',
        f'<text x="{left}" y="24">processor seconds</text>',
    ]
    series = (("abstraction", "#0b6aa2"), ("highs", "#c8421f"), ("read", "#00806a"))
    for place, (name, colour) in enumerate(series):
        values = [(point.nonzeros, getattr(point, name)) for point in points]
        values = [(x, y) for x, y in values if y == y]
        if not values:
            continue
        (x0, y0), (x1, y1) = at(0, 0), at(*values[-1])
        parts.append(
            f'<line x1="{x0}" y1="{y0}" x2="{x1}" y2="{y1}" stroke="{colour}" '
            'stroke-dasharray="4 4"/>'
        )
        for x, y in values:
            cx, cy = at(x, y)
            parts.append(f'<circle cx="{cx}" cy="{cy}" r="4" fill="{colour}"/>')
        words = {"highs": "HiGHS reads", "read": "read", "abstraction": "abstracted"}[name]
        parts.append(f'<text x="{left + 130 + 110 * place}" y="24" fill="{colour}">{words}</text>')
    for x in (point.nonzeros for point in points):
        px, py = at(x, 0)
        parts.append(f'<text x="{px}" y="{float(py) + 18:.1f}" text-anchor="middle">{x:,}</text>')
    px, py = at(0, most_y)
    parts.append(f'<text x="{left - 8}" y="{py}" text-anchor="end">{most_y:.2f}</text>')
    return "\n".join([*parts, "</svg>", ""])


@click.command()
@click.option("--file", "files", multiple=True, type=click.Path(path_type=Path))
@click.option("--folder", type=click.Path(path_type=Path), help="The table of its models instead.")
@click.option("--large", "whole", is_flag=True, help="A model of a million rows too.")
@click.option("--plot", type=click.Path(path_type=Path), help="The cost over four sizes as SVG.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def main(
    files: tuple[Path, ...], folder: Path | None, whole: bool, plot: Path | None, as_json: bool
) -> None:
    """Reading and abstraction against HiGHS; with --folder, the table of its models' structure."""
    if folder is not None:
        found = round_trips(models_in(folder))
        click.echo(trip_json(found) if as_json else round_trip_table(found))
        return
    figures, points = bench_structure(files, whole)
    show(figures, as_json)
    if plot is not None:
        plot.write_text(growth_svg(points), "utf-8")


if __name__ == "__main__":
    main()
