"""The domain of an index: a product of sets, of tables of tuples, or of both."""

from itertools import combinations

import numpy as np

from ordojo.structure.flat import Ints
from ordojo.structure.formulation.concepts import Concept
from ordojo.structure.formulation.ledger import Ledger
from ordojo.structure.formulation.spec import Factor
from ordojo.structure.formulation.units import firsts


def factors(fields: list[Ints]) -> list[tuple[int, ...]]:
    """The finest split of the fields into parts whose tuples all occur together."""
    size = len(fields[0]) if fields else 1
    return _split(tuple(range(len(fields))), fields, size) if fields else []


def _split(which: tuple[int, ...], fields: list[Ints], size: int) -> list[tuple[int, ...]]:
    count = len(firsts([fields[k] for k in which], size))
    for width in range(1, len(which) // 2 + 1):
        for part in combinations(which, width):
            rest = tuple(k for k in which if k not in part)
            one = len(firsts([fields[k] for k in part], size))
            other = len(firsts([fields[k] for k in rest], size))
            if one * other == count:
                both = [*_split(part, fields, size), *_split(rest, fields, size)]
                return sorted(both)
    return [which]


def domain(
    fields: list[Ints], concepts: list[Concept], letters: list[str], ledger: Ledger
) -> tuple[Factor, ...]:
    """The factors over an index, their sets and tables made where they are not there yet."""
    found = []
    for which in factors(fields):
        mine = tuple(letters[k] for k in which)
        if len(which) == 1:
            values = np.unique(fields[which[0]])
            found.append(Factor(mine, ledger.set_of(concepts[which[0]], values).name, False))
            continue
        table = ledger.table([concepts[k] for k in which], [fields[k] for k in which])
        ledger.domains.add(table.name)
        found.append(Factor(mine, table.name, True))
    return tuple(found)
