"""The project's pages, cut into what the tests check."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
ROOT_PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
PAGES = [*ROOT_PAGES, *sorted(DOCS.rglob("*.md"))]

_FENCE = re.compile(
    r"^```(\w*)([^\n]*)\n(.*?)^```\n(?:<!-- ([^\n]*?) -->)?", re.MULTILINE | re.DOTALL
)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_RUN = re.compile(r"run(?:: exit (\d+))?")


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@dataclass(frozen=True)
class Block:
    """A fenced block; `line` counts from 1, `mark` is the comment that follows it.

    `title` is the file that it shows, "" for none.
    """

    page: Path
    line: int
    language: str
    title: str
    text: str
    mark: str

    @property
    def exit_code(self) -> int | None:
        """The exit code that a block marked to be run promises, None if it is not run."""
        found = _RUN.fullmatch(self.mark)
        return int(found[1] or 0) if found and self.language == "console" else None


@dataclass(frozen=True)
class Command:
    """One command line, and the output shown below it."""

    line: str
    output: str = ""

    @property
    def words(self) -> list[str]:
        return shlex.split(self.line)

    @property
    def shown(self) -> list[str]:
        """The lines that are not left out, their white space made one."""
        lines = [" ".join(line.split()) for line in self.output.splitlines()]
        return [line for line in lines if line and line != "..."]


def blocks(page: Path) -> list[Block]:
    text = page.read_text("utf-8")
    return [
        Block(page, text.count("\n", 0, m.start()) + 1, m[1], title(m[2]), m[3], m[4] or "")
        for m in _FENCE.finditer(text)
    ]


def title(rest: str) -> str:
    found = re.search(r'title="([^"]+)"', rest)
    return found[1] if found else ""


def commands(block: Block) -> list[Command]:
    """The `$ ...` lines of a console block, continued by a backslash at the end."""
    parts = re.split(r"^\$ ((?:[^\n]*\\\n)*[^\n]*)\n", block.text, flags=re.MULTILINE)[1:]
    return [
        Command(re.sub(r"\\\n\s*", "", line), output)
        for line, output in zip(parts[::2], parts[1::2], strict=True)
    ]


def prose(page: Path) -> str:
    """A page without its fenced blocks."""
    return _FENCE.sub("", page.read_text("utf-8"))


def links(page: Path) -> list[str]:
    return _LINK.findall(prose(page))


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as mkdocs makes them."""
    return {slug(heading) for heading in re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)}


def slug(heading: str) -> str:
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower())


def sections(page: Path) -> dict[str, str]:
    """The text below each second-level heading."""
    _, *parts = re.split(r"^## (.+)$", page.read_text("utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def table_rows(text: str) -> Iterator[list[str]]:
    """The cells of every table row, headings and rules left out."""
    rows = [line for line in text.splitlines() if line.startswith("|")]
    for row, after in zip(rows, [*rows[1:], ""], strict=True):
        if (not set(row) <= set("|- ") and not set(after) <= set("|- ")) or not after:
            yield [cell.strip() for cell in row.strip("|").split("|")]
