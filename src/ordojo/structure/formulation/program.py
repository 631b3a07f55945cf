"""A formulation as a program that reads its tables, builds the model by loops, and solves it."""

from collections.abc import Iterator

from ordojo.structure.formulation import runtime
from ordojo.structure.formulation.expressions import number
from ordojo.structure.formulation.loops import Sum
from ordojo.structure.formulation.spec import Factor, Family, Formulation, Group, Table


def solve_py(formulation: Formulation) -> str:
    """The program; its length is bounded by groups and families.

    It needs highspy and the files of `data_files` beside it. `build()` returns the model: `columns`
    of (name, lower, upper, kind, cost) and `rows` of (name, lower, upper, entries, condition).
    A model with sections that HiGHS has no word for is built but not solved: exit with their names.
    """
    f = formulation
    body = "\n".join(_build(f))
    parts = [_head(f, "group_by(" in body or "defaultdict(" in body), runtime.READING]
    if "group_by(" in body:
        parts.append(runtime.GROUPING)
    parts.append(runtime.MODEL)
    parts.append("\n\n" + body + "\n")
    if f.sections:
        names = ", ".join(head.split()[0] for head in f.sections)
        parts.append(runtime.REFUSAL.replace("SECTIONS", names))
    else:
        gated = any(family.given for family in f.families)
        plain = "[(low, high, terms) for _, low, high, terms, _ in model.rows]"
        parts.append(runtime.GATES if gated else "")
        rows = "list(plain_rows(model))" if gated else plain
        parts.append(runtime.SOLVE.replace("ROWS", rows))
        parts.append("\n" + runtime.MAIN)
    return "".join(parts)


def _head(f: Formulation, grouping: bool) -> str:
    name = (f.name or "A model").replace("\\", "/").replace('"', "'")
    lines = [f'"""{name}: built from the tables in data/, and solved with HiGHS."""', ""]
    lines += ["import csv", "import sys"]
    lines += ["from collections import defaultdict"] * grouping
    lines += ["from pathlib import Path", ""]
    lines += ["import highspy", ""]
    return "\n".join(lines)


def _build(f: Formulation) -> Iterator[str]:
    yield "def build():"
    yield '    """Read the tables and build the model."""'
    yield from _indented(_data(f), 1)
    offset = 'scalars["offset"]' if f.offset else "0.0"
    yield f"    model = Model(maximize={f.maximize}, offset={offset})"
    for group in f.groups:
        yield ""
        yield from _indented(_variables(f, group), 1)
    groups = {group.name: group for group in f.groups}
    indexed: set[str] = set()
    for family in f.families:
        yield ""
        yield from _indented(_rows(f, family, groups, indexed), 1)
    yield ""
    yield "    return model"


def _indented(lines: Iterator[str], by: int) -> Iterator[str]:
    for line in lines:
        yield "    " * by + line if line else line


def _data(f: Formulation) -> Iterator[str]:
    dense = [one for one in f.sets if one.first is not None]
    if dense:
        yield (
            'sets = {row["set"]: range(int(row["first"]), int(row["last"]) + 1) '
            'for row in read("sets.csv")}'
        )
    scalars = [one for one in f.parameters if one.value is not None]
    if scalars or f.offset:
        yield ('scalars = {row["name"]: float(row["value"]) for row in read("parameters.csv")}')
    for one in dense:
        yield f'{one.name} = sets["{one.name}"]'
    for scalar in scalars:
        yield f'{scalar.name} = scalars["{scalar.name}"]'
    ranges = {one.name for one in dense}
    words = {one.name: one.words for one in f.sets}
    for table in f.tables:
        if table.name in ranges and not table.columns:
            continue
        kinds = ", ".join(
            f"{key}={'str' if words[of] else 'int'}"
            for key, of in zip(table.keys, table.sets, strict=True)
        )
        yield f'rows = read("{table.file.removeprefix("data/")}")'
        if table.name not in ranges:
            yield f"{table.name} = tuples(rows, {kinds})"
        for column in table.columns:
            kind = _kind(f, table, column)
            yield f'{column} = column(rows, "{column}", {kind}, {kinds})'


def _kind(f: Formulation, table: Table, column: str) -> str:
    kind = f.arrays[table.name][column].dtype
    return "float" if kind.kind == "f" else "int" if kind == "int64" else "str"


def _loops(domain: tuple[Factor, ...]) -> list[str]:
    return [f"for {', '.join(factor.letters)} in {factor.source}:" for factor in domain]


def _nested(loops: list[str], body: list[str]) -> Iterator[str]:
    for depth, loop in enumerate(loops):
        yield "    " * depth + loop
    yield from _indented(iter(body), len(loops))


def _label(name: str, index: tuple[str, ...]) -> str:
    inner = ",".join(f"{{{letter}}}" for letter in index)
    return f'f"{name}[{inner}]"' if index else f'"{name}"'


def _variables(f: Formulation, group: Group) -> Iterator[str]:
    kind = number(f, group.types) if group.types is not None else f'"{group.type}"'
    lower, upper, cost = (number(f, one) for one in (group.lower, group.upper, group.cost))
    made = f"model.var({_label(group.name, group.index)}, {lower}, {upper}, {kind}, {cost})"
    if not group.index:
        yield f"{group.name} = {made}"
        return
    yield f"{group.name} = {{}}"
    key = ", ".join(group.index)
    yield from _nested(_loops(group.domain), [f"{group.name}[{key}] = {made}"])


def _rows(
    f: Formulation, family: Family, groups: dict[str, Group], indexed: set[str]
) -> Iterator[str]:
    text = [f"# {family.name}"]
    body = ["terms = []"]
    for term in family.terms:
        one = Sum(f, term, groups[term.group], indexed)
        text += one.before()
        body += one.lines("terms.append(({key}, {coefficient}))")
    sense = number(f, family.senses) if family.senses is not None else f'"{family.sense}"'
    more = ""
    if family.range is not None:
        more += f", span={number(f, family.range)}"
    if family.given:
        body.append("given = None")
        more += ", given=given"
    for gate, when in family.given:
        one = Sum(f, gate, groups[gate.group], indexed)
        text += one.before()
        body += one.lines("given = ({key}, " + number(f, when) + ")")
    label = _label(family.name, family.index)
    body.append(f"model.row({label}, terms, {sense}, {number(f, family.rhs)}{more})")
    yield from text
    yield from _nested(_loops(family.domain), body)
