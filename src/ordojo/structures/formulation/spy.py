"""A spy plot: where the families' rows meet the groups' columns, as an SVG picture."""

from collections.abc import Iterator, Mapping
from html import escape
from itertools import pairwise

import numpy as np

from ordojo.core.words import amount
from ordojo.structures.abstraction.abstract import Abstraction
from ordojo.structures.flat import Flat, Ints
from ordojo.structures.formulation.formulate import named_units
from ordojo.structures.formulation.units import Unit

_SIDE = 560.0
"""Pixels of a side, if no block has to be widened: fits a page beside a list."""
_LEAST, _CELL = 15.0, 6.0
"""Pixels of the thinnest block (a line of text) and of a bin (the smallest that is seen as one)."""
_LABELS = 80
"""With more blocks, names would overlap: none are drawn, and blocks may be thinner."""
_STYLE = """
text { font: 11px system-ui, sans-serif; fill: #555; }
.d1 { fill: #2a6fbb; fill-opacity: .35; } .d2 { fill: #2a6fbb; fill-opacity: .6; }
.d3 { fill: #2a6fbb; fill-opacity: .95; } .g { stroke: #888; stroke-opacity: .45; fill: none; }
@media (prefers-color-scheme: dark) {
text { fill: #ccc; } .d1, .d2, .d3 { fill: #6db3ff; } }
"""


def spy_svg(flat: Flat, abstraction: Abstraction, names: Mapping[str, str] | None = None) -> str:
    """Blocks of families (down) and groups (across), their entries in bins, darker where denser.

    The picture is the same for the same model, and its size bounded: bins are 6 pixels, and a side
    grows with the number of blocks alone. Large blocks are drawn smaller than to scale.
    """
    groups, families, _ = named_units(abstraction, names or {})
    across, down = _edges(groups), _edges(families)
    left = 16 + 6.2 * max([len(unit.name) for unit in families] + [4])
    top = 16 + 4.6 * max([len(unit.name) for unit in groups] + [4])
    width, height = left + across[-1] + 60, top + down[-1] + 24
    columns = (f"M{x:.0f} 0V{down[-1]:.0f}" for x in across)
    rows = (f"M0 {y:.0f}H{across[-1]:.0f}" for y in down)
    above = f'transform="translate({{:.0f}} {top - 6:.0f}) rotate(-40)"'
    beside = f'x="{left - 6:.0f}" y="{{:.0f}}" text-anchor="end"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" role="img">',
        f"<title>{amount(flat.m, 'row')} in {amount(len(families), 'family')}, "
        f"{amount(flat.n, 'column')} in {amount(len(groups), 'group')}, "
        f"{amount(flat.nonzeros, 'coefficient')}</title>",
        f"<style>{_STYLE}</style>",
        *_labels(groups, across, "variable", above, left),
        *_labels(families, down, "constraint", beside, top + 4),
        f'<g transform="translate({left:.0f} {top:.0f})">',
        f'<path class="g" d="{"".join([*columns, *rows])}"/>',
        *_cells(flat, groups, families, across, down),
        "</g></svg>",
    ]
    return "\n".join(parts) + "\n"


def _edges(units: list[Unit]) -> list[float]:
    """Where the blocks begin and end: by the square root of their sizes, none too thin to see."""
    weights = np.sqrt([max(unit.size, 1) for unit in units])
    least = _LEAST if len(units) <= _LABELS else 2.0
    sizes = np.maximum(_SIDE * weights / max(float(weights.sum()), 1.0), least)
    return [0.0, *np.cumsum(np.round(sizes)).tolist()]


def _labels(
    units: list[Unit], edges: list[float], what: str, place: str, shift: float
) -> Iterator[str]:
    """The names, each at the middle of its block; `place` is an attribute with a place for that."""
    for unit, middles in zip(units, pairwise(edges), strict=True):
        if len(units) <= _LABELS:
            said = f"<title>{amount(unit.size, what)}</title>{escape(unit.name)}"
            yield f"<text {place.format(shift + sum(middles) / 2)}>{said}</text>"


def _cells(
    flat: Flat, groups: list[Unit], families: list[Unit], across: list[float], down: list[float]
) -> Iterator[str]:
    """Bins by density within their block, runs of equal ones drawn as one."""
    x, columns = _bins(groups, flat.n, across)
    y, rows = _bins(families, flat.m, down)
    wide, high = len(columns) - 1, len(rows) - 1
    if not wide or not high:
        return
    held = np.bincount(y[flat.index] * wide + x[flat.entry_cols], minlength=wide * high)
    room = np.outer(np.bincount(y, minlength=high), np.bincount(x, minlength=wide))
    share = held.reshape(high, wide) / np.maximum(room, 1)
    level = np.digitize(share, [1e-300, 0.05, 0.4])
    drawn: dict[int, list[str]] = {1: [], 2: [], 3: []}
    for r, line in enumerate(level):
        change = np.flatnonzero(np.diff(line)) + 1
        for a, b in zip([0, *change], [*change, wide], strict=True):
            if line[a]:
                box = columns[b] - columns[a], rows[r + 1] - rows[r]
                drawn[int(line[a])].append(
                    f"M{columns[a]:.0f} {rows[r]:.0f}h{box[0]:.0f}v{box[1]:.0f}h-{box[0]:.0f}z"
                )
    for k, paths in drawn.items():
        if paths:
            yield f'<path class="d{k}" d="{"".join(paths)}"/>'


def _bins(units: list[Unit], size: int, edges: list[float]) -> tuple[Ints, list[float]]:
    """The bin of each item, and the bins' edges."""
    found = np.zeros(size, np.int64)
    sides = [0.0]
    for k, unit in enumerate(units):
        length = edges[k + 1] - edges[k]
        count = max(1, min(unit.size, int(length / _CELL)))
        found[unit.items] = len(sides) - 1 + np.arange(unit.size) * count // max(unit.size, 1)
        sides += [round(edges[k] + length * (j + 1) / count) for j in range(count)]
    return found, sides
