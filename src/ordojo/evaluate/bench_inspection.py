"""`ordojo bench inspection`: how often the family of an injected blueprint error is named."""

from collections.abc import Iterator
from pathlib import Path

from ordojo.core.errors import DataError
from ordojo.evaluate.bench import Figure
from ordojo.structure import Flat, flat_model, read_flat
from ordojo.structure.inspection.study import Case, shares, study
from ordojo.templates.build import build
from ordojo.templates.registry import templates

TARGET = 0.9
_SIZES = ("small", "medium")
_NONZEROS = 15_000


def bench_inspection(
    count: int, folder: Path | None, seed: int = 0, each: list[Case] | None = None
) -> list[Figure]:
    """Shares of right answers over `count` cases: generated models, and MPS files of a folder.

    Files with over 15,000 nonzeros are left out, for each case is solved twice. `each` gets the
    cases as they come.
    """
    models = [*_generated(), *(_files(folder) if folder else ())]
    cases = [] if each is None else each
    for case in study(models, count, seed):
        cases.append(case)
    figures = []
    for name, (right, of) in shares(cases).items():
        target = f"{TARGET:.0%}" if name == "all errors, all" else ""
        share = right / of if of else float("nan")
        figures.append(Figure(name, share, f"({right} of {of})", target))
    void = sum(case.void for case in cases)
    figures.append(Figure("drawn again, for the error left the same problem", void, "cases", ""))
    figures.append(Figure("models", len(models), "models", ""))
    return figures


def _generated() -> Iterator[tuple[str, Flat]]:
    for template in templates():
        for size in _SIZES:
            tables = template.tables(template.settings(size), 0, 0)
            yield (
                f"{template.name}-{size}",
                flat_model(build(template.spec, tables, template.name).model),
            )


def _files(folder: Path) -> Iterator[tuple[str, Flat]]:
    if not folder.is_dir():
        raise DataError(f"{folder} is no folder; name one with MPS files")
    for path in sorted(folder.glob("*.mps*")):
        flat = read_flat(path)
        if flat.nonzeros <= _NONZEROS and not flat.sections:
            yield path.name.partition(".mps")[0], flat
