"""A formulation for a reader: sets, parameters with files, variables, objective, constraints."""

import csv
import io
from collections.abc import Iterator

import numpy as np

from ordojo.structure.abstraction.tables import Array
from ordojo.structure.formulation.spec import (
    Condition,
    Factor,
    Family,
    Formulation,
    Group,
    IndexSet,
    Parameter,
    Subscript,
    Table,
    Term,
    Value,
)


def shortest(value: float) -> str:
    """The shortest text that Python reads as the same number: `3`, `0.1`, `-0.0`, `1e+30`."""
    value = float(value)
    text = repr(value)
    return text[:-2] if text.endswith(".0") and text != "-0.0" else text


def called(name: str, index: tuple[str, ...]) -> str:
    """A name with its indices."""
    return f"{name}[{', '.join(index)}]" if index else name


def scope(domain: tuple[Factor, ...]) -> str:
    """`i in I, (j, k) in JK`."""
    parts = []
    for factor in domain:
        inner = ", ".join(factor.letters)
        parts.append(f"{inner if len(factor.letters) == 1 else f'({inner})'} in {factor.source}")
    return ", ".join(parts)


def value(one: Value) -> str:
    """A number, a parameter with its indices, or a line through an index."""
    if one.kind == "number":
        return shortest(one.number)
    if one.kind == "affine":
        step = "" if one.step == 1 else "-" if one.step == -1 else f"{one.step} "
        start = int(one.number)
        rest = f" {'+' if start > 0 else '-'} {abs(start)}" if start else ""
        rest += f" + {value(one.plus)}" if one.plus is not None else ""
        return f"{step}{one.of[0]}{rest}"
    sign = "-" if one.sign < 0 else ""
    return f"{sign}{called(one.parameter, one.of)}"


def expression(at: Subscript) -> str:
    """An index expression as text that is also Python."""
    if at.lookup:
        return f"{at.lookup}[{', '.join(at.of)}]"
    if not at.letter:
        return repr(at.word) if at.word else str(at.shift)
    if at.shift:
        return f"{at.letter} {'+' if at.shift > 0 else '-'} {abs(at.shift)}"
    return at.letter


def signed(coefficient: Value, variable: str, over: str) -> tuple[str, str]:
    """The sign and the rest of a term."""
    if coefficient.kind == "number":
        size = abs(coefficient.number)
        sign = "-" if coefficient.number < 0 else "+"
        factor = "" if size == 1 else f"{shortest(size)} "
    elif coefficient.kind == "affine":
        sign = "-" if coefficient.step < 0 and coefficient.number <= 0 else "+"
        step, start = coefficient.step, coefficient.number
        if sign == "-":
            step, start = -step, -start
        turned = Value("affine", start, of=coefficient.of, step=step)
        text = value(turned)
        factor = f"({text}) " if start else f"{text} "
    else:
        sign = "-" if coefficient.sign < 0 else "+"
        factor = f"{called(coefficient.parameter, coefficient.of)} "
    return sign, f"{over}{factor}{variable}"


def joined(parts: list[tuple[str, str]]) -> str:
    """Signed texts as one line."""
    if not parts:
        return "0"
    first = f"{'- ' if parts[0][0] == '-' else ''}{parts[0][1]}"
    return " ".join([first, *(f"{sign} {rest}" for sign, rest in parts[1:])])


def term_text(term: Term, group: Group) -> tuple[str, str]:
    """The sign of a term and the rest, as a sum where it is one."""
    at = tuple(expression(one) for one in term.at)
    inner = [condition(one) for one in term.where if not one.scope]
    outer = [condition(one) for one in term.where if one.scope]
    over = ""
    if term.over:
        over = f"sum over {_over(term, group, inner)} of "
        inner = []
    sign, text = signed(term.coefficient, called(term.group, at), over)
    notes = [*inner, *outer]
    if notes:
        text += f" (only for {', '.join(notes)})"
    elif not term.complete and not term.over:
        text += " (where it exists)"
    return sign, text


def _over(term: Term, group: Group, limits: list[str]) -> str:
    """The summed letters, where they come from, and what limits them."""
    if any(one.kind == "member" and set(term.over) <= set(one.of) for one in term.where):
        return f"{', '.join(term.over)} with {', '.join(limits)}"
    return _ranges(term, group) + (f" with {', '.join(limits)}" if limits else "")


def _ranges(term: Term, group: Group) -> str:
    """The summed letters with the sets or tables that they come from."""
    parts = []
    for factor in group.domain:
        texts = []
        free = False
        for letter in factor.letters:
            at = term.at[group.index.index(letter)]
            texts.append(expression(at))
            free = free or at.letter in term.over
        if not free:
            continue
        if len(texts) == 1:
            parts.append(f"{texts[0]} in {factor.source}")
        else:
            loose = [text for text in texts if text in term.over]
            parts.append(f"{', '.join(loose)}: ({', '.join(texts)}) in {factor.source}")
    return "; ".join(parts)


def condition(one: Condition) -> str:
    """A condition as text."""
    if one.kind == "member":
        text = one.of[0] if len(one.of) == 1 else f"({', '.join(one.of)})"
        return f"{text} in {one.table}"
    if one.kind == "modular":
        shift = f" + {one.shift}" if one.shift else ""
        return f"{one.of[1]} = {one.of[0]}{shift} modulo {one.modulus}"
    low, high = (None if end is None else value(end) for end in (one.low, one.high))
    if low == high:
        return f"{one.of[0]} = {low}"
    if low is None:
        return f"{one.of[0]} <= {high}"
    return f"{one.of[0]} >= {low}" if high is None else f"{low} <= {one.of[0]} <= {high}"


_DOMAINS = {
    "binary": "in {0, 1}",
    "integer": "integer",
    "continuous": "real",
    "semicontinuous": "semicontinuous",
    "semiinteger": "semi-integer",
}


def model_md(formulation: Formulation) -> str:
    """The model in Markdown with plain mathematics; its length is bounded by groups and families.

    Index-explicit, as the canonical formulation of an instance (paper 003, appendix B.4).
    """
    parts = [f"# {formulation.name or 'Model'}", "", _overview(formulation), ""]
    parts += ["## Sets", "", *_sets(formulation), ""]
    parts += ["## Parameters", "", *_parameters(formulation), ""]
    parts += ["## Variables", "", *_groups(formulation), ""]
    parts += ["## Objective", "", objective(formulation), ""]
    parts += ["## Constraints", "", *_families(formulation)]
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


def _groups(f: Formulation) -> Iterator[str]:
    for group in f.groups:
        yield f"- **{called(group.name, group.index)}** {group_text(group)}"


def group_text(group: Group) -> str:
    """What a group's variables may be, and for which indices; its name apart."""
    over = f" for all {scope(group.domain)}" if group.index else ""
    kind = _DOMAINS.get(group.type, "")
    if group.types is not None:
        kind = f"of type {value(group.types)}"
    return f"{_bounded(group, kind)}{over}"


def _bounded(group: Group, kind: str) -> str:
    if group.type == "binary":
        return kind
    low, up = value(group.lower), value(group.upper)
    name = called(group.name, group.index)
    if low == "-inf" and up == "inf":
        return f"{kind}, free"
    if up == "inf":
        return f"{kind}, {name} >= {low}"
    if low == "-inf":
        return f"{kind}, {name} <= {up}"
    return f"{kind}, {low} <= {name} <= {up}"


def objective(f: Formulation) -> str:
    """The objective as sums over the groups that have costs."""
    parts = []
    for group in f.groups:
        if group.cost.kind == "number" and group.cost.number == 0:
            continue
        over = f"sum over {scope(group.domain)} of " if group.index else ""
        parts.append(signed(group.cost, called(group.name, group.index), over))
    if f.offset:
        parts.append(("-" if f.offset < 0 else "+", "the constant `offset`"))
    return f"{'maximize' if f.maximize else 'minimize'} {joined(parts)}"


def _families(f: Formulation) -> Iterator[str]:
    groups = {group.name: group for group in f.groups}
    for family in f.families:
        over = f" for all {scope(family.domain)}" if family.index else ""
        yield f"### {called(family.name, family.index)}{over}"
        yield ""
        yield family_text(family, groups)
        yield ""


def family_text(family: Family, groups: dict[str, Group]) -> str:
    """A family's constraint in its lines, each but the last with Markdown's break at its end."""
    terms = [term_text(term, groups[term.group]) for term in family.terms]
    body = (
        "  \n".join(
            [
                f"{'- ' if terms[0][0] == '-' else ''}{terms[0][1]}",
                *(f"{s} {t}" for s, t in terms[1:]),
            ]
        )
        if terms
        else "0"
    )
    sense = value(family.senses) if family.senses is not None else family.sense
    side = "no limit" if sense == "free" else f"{sense} {value(family.rhs)}"
    if family.range is not None:
        side += f", the other side {value(family.range)} apart"
    lead = ""
    for gate, when in family.given:
        only = ", ".join(map(condition, gate.where))
        lead += f"if {called(gate.group, tuple(map(expression, gate.at)))} = {value(when)}"
        lead += f" (for {only}):  \n" if only else ":  \n"
    return f"{lead}{body}  \n{side}"


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
