"""Labels for a person: a line for each family, then the guesses at the application."""

from collections.abc import Sequence

from ordojo.structure.labels.labels import Labels, name


def show(labels: Labels, names: Sequence[str]) -> str:
    """A table of the families by `names`, in their order, and the ranked application classes."""
    rows = [("family", "rows", "semantic type", "scaffold", "MIPLIB class")]
    rows += [
        (given, str(one.size), name(one.semantic), name(one.scaffold), one.miplib)
        for given, one in zip(names, labels.families, strict=True)
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    guesses = [
        f"  {one.score:.2f}  {one.sub} ({one.major}): {one.evidence}" for one in labels.applications
    ]
    return "\n".join([*lines, "application, by guess:", *guesses])
