"""What is recovered of a flat model: a declaration over index sets, its numbers, text and CSV.

The declaration (`ordojo.formulation`) says the statement, as long as there are groups and families;
the numbers stand apart, in arrays by table and column.
"""

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ordojo.formulation import program, text
from ordojo.formulation.spec import SETS, Column, Spec, Tables
from ordojo.formulation.tables import csv_texts, shortest
from ordojo.structures.abstraction.tables import Array
from ordojo.structures.formulation.units import Unit


@dataclass(frozen=True, eq=False)
class Formulation:
    """A whole model: `spec` with its `tables`, and what the file says of it.

    `arrays[table][column]` are the numbers, words as their places in `symbols` (unsigned). `units`
    are groups and families by name, with their MPS columns (rows). `sections` are the headers of
    the file's sections that no family says (SOS, quadratic parts): `solve_py` refuses them by name.
    """

    name: str
    spec: Spec
    nonzeros: int
    sections: tuple[str, ...]
    symbols: tuple[str, ...] = field(repr=False)
    arrays: dict[str, dict[str, Array]] = field(repr=False)
    units: dict[str, Unit] = field(repr=False)

    @cached_property
    def tables(self) -> Tables:
        """The data of the declaration; `formulation.build` of both is the model again."""
        return {
            table: {name: self.column(values) for name, values in columns.items()}
            for table, columns in self.arrays.items()
        }

    def size(self, name: str) -> int:
        """The number of elements of a set."""
        item = self.spec.set(name)
        if item.table == SETS:
            first, last = self.arrays[SETS][name]
            return int(last) - int(first) + 1
        return len(self.arrays[item.table][item.key[0]])

    def column(self, values: Array) -> Column:
        """Numbers as they are, and words."""
        plain: Column = values.tolist()
        return [self.symbols[k] for k in plain] if values.dtype == np.uint32 else plain

    def keys(self, name: str) -> list[tuple[Any, ...]]:
        """The index values of each member of a group or family, in the order of its `items`."""
        unit = self.units[name]
        fields = [
            self.column(values.astype(np.uint32) if words else values)
            for values, words in zip(unit.fields, unit.words, strict=True)
        ]
        return list(zip(*fields, strict=True)) if fields else [()] * unit.size


SMALL = {0.0: "zero", 1.0: "one"}
"""Numbers that a text says in words: they are no data."""


@dataclass(frozen=True)
class Said:
    """A number over letters: the text of its size, and whether it is subtracted.

    `line`: it runs through an index, and has its own signs.
    """

    text: str
    minus: bool = False
    line: bool = False

    @classmethod
    def number(cls, value: float) -> "Said":
        """A number as it stands; minus zero is one of its own."""
        minus = math.copysign(1, value) < 0
        return cls(shortest(value).removeprefix("-") if minus else shortest(value), minus)

    @property
    def whole(self) -> str:
        """With its sign."""
        return f"-{self.text}" if self.minus else self.text

    def times(self, variable: str) -> str:
        """Its size times a variable."""
        if self.text == "1":
            return variable
        return f"{f'({self.text})' if self.line else self.text} * {variable}"


def shifted(letter: str, by: int) -> str:
    """An index expression: `t`, `t + 2`, `t - 1`."""
    return f"{letter} {'+' if by > 0 else '-'} {abs(by)}" if by else letter


def model_md(formulation: Formulation) -> str:
    """The model in Markdown with plain mathematics; its length is bounded by groups and families.

    Index-explicit, as the canonical formulation of an instance (paper 003, appendix B.4).
    """
    f = formulation
    said = text.model_md(f.spec, f.name or "Model", _overview(f))
    heads = "".join(f"- section {head}\n" for head in f.sections)
    kept = f"\n## Kept as in the file, not said here\n\n{heads}" if heads else ""
    return f"{said.rstrip()}\n{kept}"


def _overview(f: Formulation) -> str:
    groups, families = f.spec.groups, f.spec.families
    columns, rows = (sum(f.units[one.name].size for one in side) for side in (groups, families))
    return (
        f"{_many(columns, 'variable')} in {_many(len(groups), 'group')}, "
        f"{_many(rows, 'constraint')} in {_many(len(families), 'family', 'families')}, "
        f"{_many(f.nonzeros, 'coefficient')}."
    )


def _many(count: int, one: str, more: str = "") -> str:
    return f"{count} {one if count == 1 else more or one + 's'}"


def solve_py(formulation: Formulation) -> str:
    """The program that builds the model from `data_files` and solves it (`formulation.program`)."""
    f = formulation
    kinds = {
        table: {name: _KINDS[array.dtype.kind] for name, array in columns.items()}
        for table, columns in f.arrays.items()
    }
    return program.solve_py(f.spec, f.name or "A model", kinds, f.sections, distinct=True)


_KINDS = {"f": "float", "i": "int", "u": "str", "U": "str"}


def data_files(formulation: Formulation) -> dict[str, str]:
    """Every file that the formulation names, with its text; numbers read back to the same bits."""
    return csv_texts(formulation.spec, formulation.tables)
