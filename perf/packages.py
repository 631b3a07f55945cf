"""The picture of the packages: `python -m perf.packages` writes docs/images/packages.svg.

Boxes are the packages from the highest down, with their modules and lines; an arrow is at least one
import, read from the source, and its width says how many. Every import goes down,
as import-linter checks.
"""

import ast
import tomllib
from collections import Counter
from html import escape
from pathlib import Path

SOURCE, PICTURE = Path("src/ordojo"), Path("docs/images/packages.svg")
WIDTH, HIGH, GAP, LEFT = 300, 30, 16, 330
INK, LINE, PAPER, BOX = "#22313c", "#0b6aa2", "#ffffff", "#eef4f7"


def levels() -> list[str]:
    """The packages from the highest to the lowest, as the import contract has them."""
    config = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))
    layers = config["tool"]["importlinter"]["contracts"][0]["layers"]
    return [one.strip().removeprefix("ordojo.") for line in layers for one in line.split(":")]


def imports(package: str) -> Counter[str]:
    """How often modules of a package import each other package."""
    found: Counter[str] = Counter()
    for path in (SOURCE / package).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("ordojo."):
                found[str(node.module).split(".")[1]] += 1
    del found[package]
    return found


def size(package: str) -> str:
    """Modules and lines of a package."""
    texts = [path.read_text("utf-8") for path in (SOURCE / package).rglob("*.py")]
    return f"{len(texts)} modules, {sum(text.count(chr(10)) for text in texts):,} lines"


def picture() -> str:
    """The packages and their imports as SVG."""
    names = levels()
    tall = len(names) * (HIGH + GAP) + GAP
    top = {name: GAP + k * (HIGH + GAP) for k, name in enumerate(names)}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 20} {tall}" '
        f'font-family="sans-serif" font-size="12" fill="{INK}">',
        f'<rect width="100%" height="100%" fill="{PAPER}"/>',
    ]
    for name in names:
        for other, count in sorted(imports(name).items()):
            if other not in top:
                continue
            low, high = top[name] + HIGH / 2, top[other] + HIGH / 2
            reach = LEFT - 14 - 20 * abs(names.index(other) - names.index(name))
            parts.append(
                f'<path d="M{LEFT} {low} C{reach} {low} {reach} {high} {LEFT - 6} {high}" '
                f'fill="none" stroke="{LINE}" stroke-opacity="0.45" '
                f'stroke-width="{min(4.0, 0.6 + count / 40):.1f}">'
                f"<title>{escape(name)} imports {escape(other)}: {count}</title></path>"
                f'<path d="M{LEFT} {high} l-7 -3.5 v7 z" fill="{LINE}"/>'
            )
    for name in names:
        parts.append(
            f'<rect x="{LEFT}" y="{top[name]}" width="{WIDTH}" height="{HIGH}" rx="4" '
            f'fill="{BOX}" stroke="{INK}"/>'
            f'<text x="{LEFT + 10}" y="{top[name] + 19}" font-weight="bold">{escape(name)}</text>'
            f'<text x="{LEFT + WIDTH - 10}" y="{top[name] + 19}" text-anchor="end">'
            f"{size(name)}</text>"
        )
    return "\n".join([*parts, "</svg>", ""])


if __name__ == "__main__":
    PICTURE.write_text(picture(), "utf-8")
