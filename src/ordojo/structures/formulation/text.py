"""What is recovered for a reader: `model.md`, and the tables of its data as CSV."""

import csv
import io
from collections.abc import Iterable

from ordojo.formulation import text
from ordojo.formulation.spec import PARAMETERS, SETS
from ordojo.structures.formulation.spec import Formulation, shortest


def model_md(formulation: Formulation) -> str:
    """The model in Markdown with plain mathematics; its length is bounded by groups and families.

    Index-explicit, as the canonical formulation of an instance (paper 003, appendix B.4).
    """
    f = formulation
    said = text.model_md(f.spec, f.name or "Model", _overview(f), "row")
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


def data_files(formulation: Formulation) -> dict[str, str]:
    """Every file that the formulation names, with its text; numbers read back to the same bits.

    `data/sets.csv` has the first and last member of each set of numbers, `data/parameters.csv` the
    scalars, every other file the tuples of one table with its columns.
    """
    rows = {table: dict(columns) for table, columns in formulation.tables.items()}
    found = {}
    if ends := rows.pop(SETS, None):
        lines = [[name, *map(str, both)] for name, both in ends.items()]
        found[f"data/{SETS}.csv"] = _csv(["set", "first", "last"], lines)
    if scalars := rows.pop(PARAMETERS, None):
        lines = [[name, _text(value)] for name, (value,) in scalars.items()]
        found[f"data/{PARAMETERS}.csv"] = _csv(["name", "value"], lines)
    listed = {one.table for one in formulation.spec.sets}
    for table, columns in rows.items():
        if len(columns) > 1 or table in listed:
            texts = [[_text(value) for value in values] for values in columns.values()]
            found[f"data/{table}.csv"] = _csv([*columns], map(list, zip(*texts, strict=True)))
    return found


def _text(value: object) -> str:
    return shortest(value) if isinstance(value, float) else str(value)


def _csv(head: list[str], rows: Iterable[list[str]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return out.getvalue()
