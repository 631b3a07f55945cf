"""A model by families and groups: the entries of each pair, and the index fields of its names."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ordojo.structure.abstraction import Abstraction
from ordojo.structure.abstraction.members import Members, decode_order
from ordojo.structure.abstraction.naming import decode_names
from ordojo.structure.abstraction.tables import Spec
from ordojo.structure.flat import Flat, Floats, Ints
from ordojo.structure.labels.rows import Rows


@dataclass(frozen=True)
class Block:
    """What a family holds of a group: local rows and columns and values, with both sides' fields.

    `left_values` and `right_values` are the different values of each field, ascending; `terms` are
    the abstraction's relations that say it.
    """

    group: int
    row: Ints
    col: Ints
    value: Floats
    left: list[Ints]
    right: list[Ints]
    left_values: list[Ints]
    right_values: list[Ints]
    sizes: tuple[int, int]
    terms: tuple[Spec, ...]

    @cached_property
    def per_row(self) -> Ints:
        """Entries of each of the family's rows."""
        return np.bincount(self.row, minlength=self.sizes[0])

    @cached_property
    def per_col(self) -> Ints:
        """Entries of each of the group's columns."""
        return np.bincount(self.col, minlength=self.sizes[1])


class View:
    """A model with its abstraction, ready to be labelled."""

    def __init__(self, flat: Flat, found: Abstraction) -> None:
        structure, tables = found.structure, found.tables
        self.flat, self.rows = flat, Rows.of(flat)
        self.groups = Members.of(decode_order(structure["columns"], tables))
        self.families = Members.of(decode_order(structure["rows"], tables))
        symbols = structure["symbols"]
        self.right = [
            decode_names(spec["names"], spec["size"], tables, symbols)[1] for spec in found.groups
        ]
        self.left = [
            decode_names(spec["names"], spec["size"], tables, symbols)[1] for spec in found.families
        ]
        self.right_values = [[np.unique(field) for field in fields] for fields in self.right]
        self._terms: dict[tuple[int, int], list[Spec]] = {}
        for term in found.terms:
            self._terms.setdefault((term["family"], term["group"]), []).append(term)
        self._sorted()

    def _sorted(self) -> None:
        rows, many = self.rows, len(self.groups.items)
        family = self.families.label[rows.row]
        key = family * many + self.groups.label[rows.col]
        order = np.argsort(key, kind="stable")
        key = key[order]
        self._row, self._col = rows.row[order], rows.col[order]
        self._value = rows.value[order]
        cut = np.flatnonzero(np.diff(key)) + 1
        begins = np.concatenate([[0], cut, [len(key)]]) if len(key) else np.zeros(1, np.int64)
        self._places: dict[int, list[tuple[int, int, int]]] = {}
        for a, b in zip(begins[:-1].tolist(), begins[1:].tolist(), strict=True):
            f, g = divmod(int(key[a]), many)
            self._places.setdefault(f, []).append((g, a, b))

    def blocks(self, family: int) -> Iterator[Block]:
        """The family's blocks, by group; signs as in `Rows`."""
        fields = self.index(family)
        values = [np.unique(field) for field in fields]
        for group, a, b in self._places.get(family, []):
            yield Block(
                group,
                self.families.local[self._row[a:b]],
                self.groups.local[self._col[a:b]],
                self._value[a:b],
                fields,
                self.right[group],
                values,
                self.right_values[group],
                (len(self.families.items[family]), len(self.groups.items[group])),
                tuple(self._terms.get((family, group), ())),
            )

    def index(self, family: int) -> list[Ints]:
        """The indices of a family's rows that vary: those of the names, else what its columns say.

        Without names of its own, a family has each index that is the same in all of a row's columns
        of a group that stands in every row.
        """
        own = [field for field in self.left[family] if len(field) and (field != field[0]).any()]
        if own or self.left[family]:
            return own
        size = len(self.families.items[family])
        found: list[Ints] = []
        for group, a, b in self._places.get(family, []):
            row = self.families.local[self._row[a:b]]
            col = self.groups.local[self._col[a:b]]
            for field in self.right[group]:
                values = np.full(size, np.iinfo(np.int64).min)
                values[row] = field[col]
                if (values[row] != field[col]).any() or values.min() == np.iinfo(np.int64).min:
                    continue
                new = (values != values[0]).any()
                if new and not any(np.array_equal(values, old) for old in found):
                    found.append(values)
        return found
