"""What structure's weights and thresholds do when they move: `python -m perf.sensitivity FOLDER`.

FOLDER has MPS files, those with a known truth also `truth/NAME.npz` (see `grouping.py`). A line for
each constant and value: for grouping, models whose groups and families are the modeller's own
without names; for the others the numbers and terms of tables, or the labels that change.
"""

from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path

import click
import numpy as np

from ordojo.core.errors import DataError
from ordojo.formulation.terms import sides, summands
from ordojo.structures import abstract, partition, read_flat
from ordojo.structures.arrays import numbered
from ordojo.structures.flat import Flat
from ordojo.structures.formulation import formulate
from ordojo.structures.grouping import choose
from ordojo.structures.labels import Labels, label
from perf.score import nameless, relation

MOST_NONZEROS = 12_000
"""Larger models are left out, or a line would take minutes."""
MOVED: dict[str, dict[str, tuple[float, ...]]] = {
    "grouping.choose": {
        "CLASS_BITS": (30, 120), "APART_BITS": (30, 120), "MIX_BITS": (3.5, 14),
        "MIX_UNIT": (4, 16), "MIX_MOST": (3, 12), "FEW": (0.01, 0.04),
        "FEW_WEIGHT": (0.4, 1.6), "MOST": (50, 200),
        "TERM_BITS": (6, 24), "ODD_BITS": (2, 8), "MANY_BITS": (2, 8), "NUMBER_BITS": (1, 4),
        "ROUNDS": (1, 10), "SPLITS": (0, 6),
    },
    "grouping.features": {"GAP": (8, 32)},
    "grouping.split": {"MOST_TWICE": (0.4, 1.6), "SHORT": (4, 16)},
    "formulation.relate": {"MOST_SHIFTS": (2, 8), "_PLAIN": (3, 12), "_TERM": (1, 6)},
    "formulation.terms": {"_RARE": (0.2, 0.8)},
    "formulation.units": {"MOST_OF": (1, 2), "MOST_SLOTS": (2, 8), "MOST_FIELDS": (3, 8)},
    "labels.scaffolds": {
        "MOST_SHIFTS": (0.8, 1), "ANCHORED": (0.6, 1), "WIDE": (2, 4), "MOST": (0.8, 1),
        "HALF": (0.25, 0.75), "PRODUCT": (0.5, 1),
    },
    "labels.applications": {"LEAST": (0.05, 0.3)},
    "labels.labels": {"BIG": (3, 100), "MOST": (0.8, 1)},
    "abstraction.relations": {"SLACK": (1, 3)},
    "abstraction.terms": {
        "_TERM": (2, 32), "MOST_PARTS": (2, 8), "MOST_SHIFTS": (3, 12), "MOST_TERMS": (2, 12),
    },
}  # fmt: skip


def moves(module: str, score: Callable[[], object]) -> Iterable[tuple[str, float, object]]:
    """A module's constants, each moved in turn, with the score then; all are put back."""
    place = import_module(f"ordojo.structures.{module}")
    for name, values in MOVED[module].items():
        kept = getattr(place, name)
        for value in values:
            setattr(place, name, value)
            try:
                yield name, value, score()
            finally:
                setattr(place, name, kept)


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--module", "modules", multiple=True, type=click.Choice(list(MOVED)))
def main(folder: Path, modules: tuple[str, ...]) -> None:
    """Move each constant of the modules (all by default) and print what changes in FOLDER."""
    models: dict[str, Flat] = {}
    for path in sorted(folder.glob("*.mps*")):
        try:
            flat = read_flat(path)
        except DataError:
            continue
        if flat.nonzeros <= MOST_NONZEROS:
            models[path.name.partition(".mps")[0]] = flat
    found = {name: abstract(flat) for name, flat in models.items()}

    def grouping() -> tuple[int, int]:
        same = [0, 0]
        choose.SEARCHED = 0  # what is moved is of merging
        for path in sorted((folder / "truth").glob("*.npz")):
            if path.stem in models:
                chosen = partition(nameless(models[path.stem]))
                with np.load(path) as truth:
                    groups, families = truth["column_group"], truth["row_group"]
                rows = numbered(chosen.families[: len(families)])
                same[0] += relation(chosen.groups, groups.astype(np.int64)) == "same"
                same[1] += relation(rows, families.astype(np.int64)) == "same"
        return same[0], same[1]

    def abstraction() -> tuple[int, int]:
        made = [abstract(flat) for flat in models.values()]
        return sum(one.tables.numbers() for one in made), sum(len(one.terms) for one in made)

    def formulation() -> tuple[int, int]:
        made = [formulate(flat, found[name]) for name, flat in models.items()]
        columns = [
            array for one in made for table in one.arrays.values() for array in table.values()
        ]
        rules = [family.rule for one in made for family in one.spec.families]
        terms = sum(len(list(summands(sides(rule)[0]))) for rule in rules)
        return sum(array.size for array in columns), terms

    def labelled() -> dict[str, Labels]:
        return {name: label(flat, found[name]) for name, flat in models.items()}

    before = labelled()

    def labels() -> tuple[int, int, int]:
        after = labelled()
        guesses = [[one[name].applications[:1] for name in models] for one in (before, after)]
        both = [
            (a, b)
            for name in models
            for a, b in zip(before[name].families, after[name].families, strict=True)
        ]
        return (
            sum(a.semantic != b.semantic for a, b in both),
            sum(a.scaffold != b.scaffold for a, b in both),
            sum(a != b for a, b in zip(*guesses, strict=True)),
        )

    scores = {"grouping": grouping, "abstraction": abstraction,
              "formulation": formulation, "labels": labels}  # fmt: skip
    for package, score in scores.items():
        mine = [module for module in modules or MOVED if module.startswith(package)]
        if mine:
            click.echo(f"{package}: {score()} of {len(models)} models as it is")
        for module in mine:
            for name, value, then in moves(module, score):
                click.echo(f"{module}.{name} = {value:g}: {then}")


if __name__ == "__main__":
    main()
