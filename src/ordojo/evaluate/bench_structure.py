"""The structure room's speed as ratios against HiGHS, and its figures for a folder of models."""

import json
import statistics
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from ordojo.core.errors import UsageError
from ordojo.evaluate.bench import Figure
from ordojo.structure.abstraction import Report
from ordojo.structure.figures import Speed, growth, large, speed, unpacked, write_plan

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
