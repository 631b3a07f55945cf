"""Words of sentences: numbers with their noun, and lists; and columns of words."""

from collections.abc import Sequence


def amount(count: int, noun: str, several: str = "") -> str:
    """A number with its noun: "1 family", "2,000 rows"; `several` is an irregular plural."""
    several = several or (f"{noun[:-1]}ies" if noun[-1] == "y" else f"{noun}s")
    return f"{count:,} {noun if count == 1 else several}"


def joined(parts: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Rows of as many cells as lines, the columns beneath one another."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )
