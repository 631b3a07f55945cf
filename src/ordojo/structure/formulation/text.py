"""A formulation for a reader: sets, parameters with files, variables, objective, constraints."""

import csv
import io
from collections.abc import Iterator

import numpy as np

from ordojo.formulation.text import statement
from ordojo.structure.abstraction.tables import Array
from ordojo.structure.formulation.declare import declaration
from ordojo.structure.formulation.spec import (
    Family,
    Formulation,
    Group,
    IndexSet,
    Parameter,
    Table,
    shortest,
)


def model_md(formulation: Formulation) -> str:
    """The model in Markdown with plain mathematics; its length is bounded by groups and families.

    Index-explicit, as the canonical formulation of an instance (paper 003, appendix B.4).
    """
    parts = [f"# {formulation.name or 'Model'}", "", _overview(formulation), ""]
    parts += ["## Sets", "", *_sets(formulation), ""]
    parts += ["## Parameters", "", *_parameters(formulation), ""]
    parts += statement(declaration(formulation))
    if formulation.sections:
        parts += ["## Kept as in the file, not said here", ""]
        parts += [f"- section {head}" for head in formulation.sections]
    return "\n".join(parts).rstrip() + "\n"


def _overview(f: Formulation) -> str:
    columns = sum(group.size for group in f.groups)
    rows = sum(family.size for family in f.families)
    nonzeros = sum(term.nonzeros for family in f.families for term in family.terms)
    return (
        f"{_many(columns, 'variable')} in {_many(len(f.groups), 'group')}, "
        f"{_many(rows, 'constraint')} in {_many(len(f.families), 'family', 'families')}, "
        f"{_many(nonzeros, 'coefficient')}."
    )


def _many(count: int, one: str, more: str = "") -> str:
    return f"{count} {one if count == 1 else more or one + 's'}"


def _sets(f: Formulation) -> Iterator[str]:
    if not f.sets:
        yield "None: nothing is indexed."
    shown = sources(f)
    for one in f.sets:
        if one.within and one.name not in shown:
            continue
        within = f", a part of {one.within}" if one.within else ""
        what = _members(f, one)
        letters = ", ".join([one.letter, *sorted(_letters(f, one.name) - {one.letter})])
        yield f"- **{one.name}** ({letters}): {what}{within} (`{one.file}`)"
    for table in f.tables:
        if len(table.keys) > 1 and table.name in shown:
            tuples = f"({', '.join(table.keys)}) of {' x '.join(table.sets)}"
            rule = f", all with {table.rule}" if table.rule else ""
            yield (
                f"- **{table.name}**: {_many(table.rows, 'tuple')} {tuples}{rule} (`{table.file}`)"
            )


def _members(f: Formulation, one: IndexSet) -> str:
    """From the first to the last, in steps of more than one too; or how many there are."""
    if one.first is not None:
        return f"{one.first}..{one.last}"
    values = f.arrays[one.name][one.letter]
    step = int(values[1] - values[0]) if len(values) > 2 else 0
    if one.words or step < 2 or not (np.diff(values) == step).all():
        return _many(one.size, "member")
    return f"{values[0]}, {values[1]}, ..., {values[-1]}"


def sources(f: Formulation) -> set[str]:
    """The sets and tables that a domain or a condition names."""
    units: tuple[Group | Family, ...] = (*f.groups, *f.families)
    found = {factor.source for unit in units for factor in unit.domain}
    gates = [gate for family in f.families for gate, _ in family.given]
    terms = [*(term for family in f.families for term in family.terms), *gates]
    return found | {one.table for term in terms for one in term.where}


def _letters(f: Formulation, name: str) -> set[str]:
    units: tuple[Group | Family, ...] = (*f.groups, *f.families)
    return {
        letter for unit in units for letter, one in zip(unit.index, unit.sets, strict=True)
        if one == name
    }  # fmt: skip


def _parameters(f: Formulation) -> Iterator[str]:
    if not f.parameters:
        yield "None."
    keys = {table.name: table.keys for table in f.tables}
    for one in f.parameters:
        yield f"- {_parameter(one, keys)}"


def _parameter(one: Parameter, keys: dict[str, tuple[str, ...]]) -> str:
    where = f"`{one.file}`, row `{one.name}`" if one.value is not None else f"`{one.file}`"
    head = (
        f"**{one.name}**"
        if one.value is not None
        else (f"**{one.name}**[{', '.join(keys[one.table])}]")
    )
    rest = f"; {shortest(one.default)} where not listed" if one.default is not None else ""
    return f"{head}: {one.role}{rest} ({where})"


def data_files(formulation: Formulation) -> dict[str, str]:
    """Every file that the formulation names, with its text; numbers read back to the same bits.

    `data/sets.csv` has the first and last member of each set of numbers, `data/parameters.csv` the
    scalars, every other file the tuples of one table with its columns.
    """
    found = {}
    dense = [one for one in formulation.sets if one.first is not None]
    if dense:
        rows = [[one.name, str(one.first), str(one.last)] for one in dense]
        found["data/sets.csv"] = _text(["set", "first", "last"], rows)
    scalars = [one for one in formulation.parameters if one.value is not None]
    lines = [[one.name, shortest(one.value or 0.0)] for one in scalars]
    if formulation.offset:
        lines.append(["offset", shortest(formulation.offset)])
    if lines:
        found["data/parameters.csv"] = _text(["name", "value"], lines)
    for table in formulation.tables:
        if table.columns or len(table.keys) > 1 or _listed(formulation, table):
            found[table.file] = _table(formulation, table)
    return found


def _listed(formulation: Formulation, table: Table) -> bool:
    return any(one.name == table.name and one.first is None for one in formulation.sets)


def _table(f: Formulation, table: Table) -> str:
    words = {one.name: one.words for one in f.sets}
    arrays = f.arrays[table.name]
    columns = [
        _column(f, arrays[key], words[one]) for key, one in zip(table.keys, table.sets, strict=True)
    ]
    columns += [_column(f, arrays[name], arrays[name].dtype == np.uint32) for name in table.columns]
    head = [*table.keys, *table.columns]
    return _text(head, [list(row) for row in zip(*columns, strict=True)])


def _column(f: Formulation, values: Array, words: bool) -> list[str]:
    if words:
        return [f.symbols[k] for k in values.tolist()]
    if values.dtype.kind == "f":
        return [shortest(value) for value in values.tolist()]
    return [str(value) for value in values.tolist()]


def _text(head: list[str], rows: list[list[str]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return out.getvalue()
