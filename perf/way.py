"""The picture of one instance's way: `python -m perf.way` writes docs/images/way.svg.

One infeasible model of or-debug is built, verified, asked and reported, and what takes part is
watched: a column is a command, a row a package, and a field names the modules of which most
functions ran, after how many took part in all.
"""

import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable
from html import escape
from pathlib import Path
from types import FrameType
from typing import Any

import ordojo
from perf.packages import BOX, INK, LINE, PAPER, levels

SOURCE, PICTURE = Path(ordojo.__file__).parent, Path("docs/images/way.svg")
LEFT, WIDE, HEAD, LINES = 100, 190, 44, 13
MOST = 4
"""Modules that a field names: the thread, not the whole cloth."""
WIDEST = 28
"""Letters that fit into a field."""
Step = tuple[str, str, dict[str, dict[str, int]]]
"""A command, the file that it leaves, and the modules that took part."""


def watched(work: Callable[[], object]) -> dict[str, dict[str, int]]:
    """The modules by package in which functions ran, with how many different ones."""
    ran: dict[str, set[Any]] = defaultdict(set)

    def hear(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            ran[frame.f_code.co_filename].add(frame.f_code)

    sys.setprofile(hear)
    try:
        work()
    finally:
        sys.setprofile(None)
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for file, codes in ran.items():
        path = Path(file)
        functions = {one for one in codes if one.co_name not in ("<module>", "__init__")}
        if functions and path.is_relative_to(SOURCE):
            package, *rest = path.relative_to(SOURCE).parts
            found[package]["/".join(rest).removeprefix("or_debug/") or package] = len(functions)
    return found


def way() -> list[Step]:
    """The commands in their order."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows, runs, site = folder / "eval.jsonl", folder / "runs", folder / "report"
        small: dict[str, Any] = {"n": 1, "seed": 1, "on": "local"}
        asked: dict[str, Any] = {"instances": str(rows), "runs": runs}
        steps: list[tuple[str, str, Callable[[], object]]] = [
            ("build", "FILE.jsonl", lambda: ordojo.build("or-debug", rows, **small)),
            ("verify", "each certificate again", lambda: ordojo.verify(rows)),
            ("eval", "samples.jsonl", lambda: ordojo.evaluate("or-debug", "ordojo/gold", **asked)),
            ("report", "index.html", lambda: ordojo.report(runs, site)),
        ]
        return [(command, left, watched(work)) for command, left, work in steps]


def picture(steps: list[Step]) -> str:
    """The commands by packages as SVG."""
    names = [one for one in levels() if any(one in step[2] for step in steps)]
    tops, top = {}, HEAD
    for name in names:
        tops[name] = top
        top += 16 + LINES * max(min(MOST, len(step[2].get(name, ()))) for step in steps)
    wide = LEFT + WIDE * len(steps) + 10
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {top + 4}" '
        f'font-family="sans-serif" font-size="10" fill="{INK}">',
        f'<rect width="100%" height="100%" fill="{PAPER}"/>',
    ]
    for k, (command, left, _) in enumerate(steps):
        x = LEFT + k * WIDE
        parts.append(
            f'<text x="{x + 4}" y="18" font-size="13" font-weight="bold">{escape(command)}</text>'
            f'<text x="{x + WIDE - 22}" y="18" text-anchor="end">{escape(left)}</text>'
            f'<path d="M{x + 4} 28 H{x + WIDE - 14}" stroke="{LINE}" stroke-width="2"/>'
            f'<path d="M{x + WIDE - 6} 28 l-8 -4 v8 z" fill="{LINE}"/>'
        )
    for name in names:
        parts.append(f'<text x="6" y="{tops[name] + 14}" font-weight="bold">{escape(name)}</text>')
        for k, (_, _, found) in enumerate(steps):
            if name in found:
                parts.append(field(LEFT + k * WIDE, tops[name], found[name]))
    return "\n".join([*parts, "</svg>", ""])


def field(x: int, y: int, modules: dict[str, int]) -> str:
    """One package in one command."""
    first = sorted(modules, key=lambda one: (-modules[one], one))[:MOST]
    told = [escape(one if len(one) <= WIDEST else f"…{one[1 - WIDEST :]}") for one in first]
    lines = "".join(
        f'<text x="{x + 8}" y="{y + 14 + LINES * k}">{one}</text>' for k, one in enumerate(told)
    )
    return (
        f'<rect x="{x}" y="{y}" width="{WIDE - 8}" height="{8 + LINES * len(first)}" rx="4" '
        f'fill="{BOX}" stroke="{INK}"/>{lines}'
        f'<text x="{x + WIDE - 14}" y="{y + 14}" text-anchor="end" fill="{LINE}">'
        f"{len(modules)}</text>"
    )


if __name__ == "__main__":
    way()  # what runs while modules are imported is no part of the way
    PICTURE.write_text(picture(way()), "utf-8")
