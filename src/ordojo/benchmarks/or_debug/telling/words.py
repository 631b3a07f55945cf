"""What columns are called: by name, or by what is known of them, which has to be worked out."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from ordojo.benchmarks.or_debug.seeds import Seed
from ordojo.formulation.algebra import Number, loops
from ordojo.formulation.words import joined

DESCRIBED = 0.4
"""How often a thing is called by what is known of it."""


def column_names(seed: Seed) -> list[str]:
    """What each column is of: "shelf", "Porto with Oulu"; of no element, ""."""
    model, built, found = seed.model, seed.built, []
    for j, name in enumerate(model.col_names):
        group = built.spec.groups[int(built.groups[j])].name
        found.append(name.removeprefix(group).strip("_").replace("_", " "))
    return found


ColumnTables = list[tuple[str, dict[int, Number]]]
"""What each table with one figure a column is of, and the figures by column."""


def column_tables(seed: Seed) -> ColumnTables:
    """The tables that have a figure for each column of a group."""
    built, found = seed.built, ColumnTables()
    for g, group in enumerate(built.spec.groups):
        over = tuple(loop.over for loop in loops(group.scope))
        columns = np.flatnonzero(built.groups == g).tolist()
        for item in built.spec.parameters:
            if over and tuple(item.over) == over:
                keys = [built.column_keys[j] for j in columns]
                values = built.values[item.name]
                given = [values.get(key if len(key) > 1 else key[0]) for key in keys]
                if None not in given:
                    found.append((item.meaning, dict(zip(columns, given, strict=True))))
    return found


def descriptions(seed: Seed, tables: ColumnTables) -> dict[int, list[str]]:
    """What else columns may be called: "the food with the largest price of a serving"."""
    built, found = seed.built, defaultdict[int, list[str]](list)
    for meaning, given in tables:
        first, values = next(iter(given)), list(given.values())
        over = [loop.over for loop in loops(built.spec.groups[int(built.groups[first])].scope)]
        one = built.spec.set(over[0]).one if len(over) == 1 else "pair"
        for word, end in (("largest", max(values)), ("smallest", min(values))):
            if len(values) > 2 and values.count(end) == 1:
                j = next(j for j, value in given.items() if value == end)
                found[j].append(f"the {one} with the {word} {meaning}")
    return found


def one_of(rng: np.random.Generator, *forms: str) -> str:
    """One of several wordings."""
    return forms[int(rng.integers(len(forms)))]


class ColumnWords:
    """What columns are called: by name or by what is known of them, as it is drawn."""

    def __init__(self, seed: Seed, rng: np.random.Generator) -> None:
        self.names, self.rng = column_names(seed), rng
        self.tables = column_tables(seed)
        self.known = descriptions(seed, self.tables)

    def of(self, j: int) -> str:
        """A column by name or otherwise."""
        others = self.known.get(j)
        if others and self.rng.random() < DESCRIBED:
            return one_of(self.rng, *others)
        return self.names[j]

    def all(self, columns: Sequence[int]) -> str:
        """Several columns."""
        return joined([self.of(j) for j in columns])


def much(figure: str, lower: bool, rng: np.random.Generator) -> str:
    """The words for a figure that is the least, or the most."""
    floor = one_of(rng, "at least {}", "no fewer than {}", "{} or more", "never under {}")
    roof = one_of(rng, "at most {}", "no more than {}", "{} or fewer", "never above {}")
    return (floor if lower else roof).format(figure)
