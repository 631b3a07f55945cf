"""A table as LaTeX: booktabs that fit a page, in several parts where one would not."""

import math
import textwrap
from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from ordojo.core.panels import Cell, Table
from ordojo.core.statistics import Estimate
from ordojo.reports.text import clean, interval, number

LINES = 44
"""Lines of a table that leave room for its caption on the page."""

HEAD = 10
"""Characters of a line in the head of a column of numbers, but that no word is broken."""

GAP = 2
"""Characters between two columns, about 8 points."""

COLUMN = 43
"""Characters of `\\small` in a column."""


class Setting(NamedTuple):
    """How a table is set: the longest line of a text, whether intervals stand below their values,
    and the letters of both, with how many have room on 5.5 inches, the narrowest of usual pages.
    """

    longest: int
    stacked: bool
    font: str
    below: str
    room: int


OPEN, CLOSE = ("small", "scriptsize", 82), ("scriptsize", "tiny", 102)

SETTINGS = (
    *(Setting(longest, False, *OPEN) for longest in (40, 30)),
    *(Setting(longest, True, *OPEN) for longest in (30, 22, 16)),
    *(Setting(longest, True, *CLOSE) for longest in (22, 16, 26)),
)
"""The first that fits is taken; the last, in parts, where none does."""

SMALL = 0.8
"""How wide the letters of intervals are to those of values."""

MATHS = """
    αalpha βbeta γgamma δdelta εepsilon ζzeta ηeta θtheta ιiota κkappa λlambda μmu νnu ξxi πpi ρrho
    σsigma ςvarsigma τtau υupsilon φphi χchi ψpsi ωomega ΓGamma ΔDelta ΘTheta ΛLambda ΞXi ΠPi ΣSigma
    ΥUpsilon ΦPhi ΨPsi ΩOmega ∞infty ≈approx ≠neq ≤leq ≥geq →rightarrow ←leftarrow ′prime
"""
"""Characters that pdfLaTeX has in formulas alone, each with its command."""

ALIKE = str.maketrans("ΑΒΕΖΗΙΚΜΝΟΡΤΧο", "ABEZHIKMNOPTXo")
"""Greek letters that are drawn as Latin ones, and that pdfLaTeX has as those alone."""

ESCAPES = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "−": "$-$",
    "–": "--",
    "·": r"$\cdot$",
    "`": r"\`{}",
    "€": r"\texteuro{}",
    **{word[0]: rf"$\{word[1:]}$" for word in MATHS.split()},
    # After a line's end these would be its argument, or part of it.
    "[": "{[}",
    "*": "{*}",
    "\n": " ",
    **{char: f"\\{char}" for char in "&%$#_{}"},
}

Line = tuple[float, str]
"""One line of a cell: its width in characters, and LaTeX."""

Grid = list[list[list[Line]]]
"""The cells of every row, the head's first."""


def escape(text: str) -> str:
    """Text as LaTeX reads it: special characters spelt out, controls made visible."""
    plain = clean(text).replace("\t", " ").translate(ALIKE)
    return "".join(ESCAPES.get(char, char) for char in plain)


def table_latex(table: Table, name: str, command: str) -> str:
    """The table as floats of a column's width or the page's; `command` is named in a comment."""
    setting, grid, widths = _set(table)
    kind = "table" if setting == SETTINGS[0] and _width(widths) <= COLUMN else "table*"
    heights = [max(map(len, row)) for row in grid]
    parts = list(product(_columns(table, widths, setting.room), _filled(heights[1:], LINES)))
    lines = [f"% {command}", r"% needs \usepackage{booktabs}"]
    for place, (columns, rows) in enumerate(parts, 1):
        note = table.note if place == 1 else ""
        part = f"(part {place} of {len(parts)})" if len(parts) > 1 else ""
        caption = " ".join(filter(None, (f"{table.title}.", note, part)))
        aligned = ["r" if table.numeric[column] else "l" for column in columns]
        lines += [
            rf"\begin{{{kind}}}[t]",
            rf"\centering\{setting.font}\sloppy\abovetopsep=4pt\tabcolsep=4pt",
            rf"\caption{{{escape(caption)}}}",
            rf"\label{{tab:{name}{f'-{place}' if place > 1 else ''}}}",
            rf"\begin{{tabular}}{{{''.join(aligned)}}}",
            r"\toprule",
            _row([grid[0][column] for column in columns], aligned, "b"),
            r"\midrule",
            *(_row([grid[row + 1][c] for c in columns], aligned, "t") for row in rows),
            r"\bottomrule",
            r"\end{tabular}",
            rf"\end{{{kind}}}",
        ]
    return "\n".join(lines) + "\n"


def _set(table: Table) -> tuple[Setting, Grid, list[float]]:
    """The first way that fits, the table's cells in it, and its columns' widths."""
    for setting in SETTINGS:
        heads = [
            _text(clean(name), HEAD, whole=True) if right else _text(clean(name), setting.longest)
            for name, right in zip(table.columns, table.numeric, strict=True)
        ]
        rows = [_marked(row) if i in table.published else row for i, row in enumerate(table.rows)]
        grid = [heads, *([_cell(cell, setting) for cell in row] for row in rows)]
        widths = [max(width for row in grid for width, _ in row[c]) for c in range(len(heads))]
        if _width(widths) <= setting.room:
            break
    return setting, grid, widths


def _marked(row: Sequence[Cell]) -> list[Cell]:
    """A quoted row: its first cell says so, and what the paper does not give is left empty."""
    first, *others = row
    return [f"{first} (published)", *("" if cell is None else cell for cell in others)]


def _cell(cell: Cell, setting: Setting) -> list[Line]:
    if isinstance(cell, Estimate) and not math.isnan(cell.low):
        value, ends = number(cell.value), f"({interval(cell)})"
        lines = [
            (len(value), escape(value)),
            (SMALL * len(ends), rf"{{\{setting.below} {escape(ends)}}}"),
        ]
        if setting.stacked:
            return lines
        return [(sum(width for width, _ in lines) + 1, " ".join(tex for _, tex in lines))]
    if isinstance(cell, str):
        return _text(clean(cell), setting.longest)
    if isinstance(cell, float) and 0 < cell < 5e-4:
        return _text("< 0.001", setting.longest)
    return _text(number(cell.value if isinstance(cell, Estimate) else cell), setting.longest)


def _text(text: str, longest: int, *, whole: bool = False) -> list[Line]:
    lines = textwrap.wrap(text, longest, break_long_words=not whole)
    return [(_long(line), escape(line)) for line in lines] or [(0, "")]


def _long(line: str) -> float:
    """The line's width in characters, of which capitals and symbols are the wider ones."""
    return sum(1 if char.islower() or char in "0123456789 .,-–()" else 1.4 for char in line)


def _width(widths: Sequence[float]) -> float:
    return sum(widths) + GAP * len(widths)


def _columns(table: Table, widths: Sequence[float], room: int) -> list[list[int]]:
    """Columns that fit side by side; the texts at the left, up to two, stand in every part."""
    keys = [place for place, right in enumerate(table.numeric[:2]) if not right] or [0]
    others = [place for place in range(len(widths)) if place not in keys]
    left = room - _width([widths[key] for key in keys])
    parts = _filled([widths[place] + GAP for place in others], left)
    return [[*keys, *(others[place] for place in part)] for part in parts]


def _filled(sizes: Sequence[float], room: float) -> list[list[int]]:
    """The places of all in turn, in parts that have room."""
    parts: list[list[int]] = [[]]
    left = room
    for place, size in enumerate(sizes):
        if size > left and parts[-1]:
            parts.append([])
            left = room
        parts[-1].append(place)
        left -= size
    return parts


def _row(cells: Sequence[Sequence[Line]], aligned: Sequence[str], at: str) -> str:
    return " & ".join(map(_stack, cells, aligned, at * len(cells))) + r" \\"


def _stack(lines: Sequence[Line], aligned: str, at: str) -> str:
    text = r" \\ ".join(tex for _, tex in lines)
    if len(lines) == 1:
        return text
    return rf"\begin{{tabular}}[{at}]{{@{{}}{aligned}@{{}}}}{text}\end{{tabular}}"
