"""A formulation as a program that reads its tables, builds the model by loops, and solves it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ordojo.formulation.algebra import tuple_of
from ordojo.structure.formulation import runtime
from ordojo.structure.formulation.spec import (
    Condition,
    Factor,
    Family,
    Formulation,
    Group,
    Table,
    Term,
    Value,
)
from ordojo.structure.formulation.text import expression


def number(f: Formulation, value: Value) -> str:
    """A value as a Python expression."""
    if value.kind == "number":
        return repr(float(value.number))
    if value.kind == "affine":
        start = int(value.number)
        rest = f" {'+' if start > 0 else '-'} {abs(start)}" if start else ""
        rest += f" + {number(f, value.plus)}" if value.plus is not None else ""
        step = "" if value.step == 1 else "-" if value.step == -1 else f"{value.step} * "
        return f"{step}{value.of[0]}{rest}"
    sign = "-" if value.sign < 0 else ""
    if not value.of:
        return f"{sign}{value.parameter}"
    key = key_of(value.of)
    default = next(one.default for one in f.parameters if one.name == value.parameter)
    if default is not None:
        inner = f"({key})" if len(value.of) > 1 else key
        return f"{sign}{value.parameter}.get({inner}, {default!r})"
    return f"{sign}{value.parameter}[{key}]"


def key_of(parts: tuple[str, ...] | list[str]) -> str:
    """What stands between the brackets."""
    return ", ".join(parts)


def letters_of(value: Value | None) -> tuple[str, ...]:
    """The letters of a value; of one at another parameter's value, that one's."""
    if value is None:
        return ()
    mine = tuple(parts_of(text)[1] for text in value.of)
    return mine + letters_of(value.plus)


def parts_of(text: str) -> tuple[str, str]:
    """`f[i]` as f and i; a plain index as "" and itself."""
    head, _, letter = text.rpartition("[")
    return head, letter.removesuffix("]")


def swapped(value: Value, swap: dict[str, str]) -> Value:
    """A value over other letters."""
    plus = None if value.plus is None else swapped(value.plus, swap)
    of = []
    for text in value.of:
        head, letter = parts_of(text)
        other = swap.get(letter, letter)
        of.append(f"{head}[{other}]" if head else other)
    return replace(value, of=tuple(of), plus=plus)


def whole(text: str) -> str:
    """An index bound without the decimal point of a float."""
    return text[:-2] if text.endswith(".0") else text


def condition_of(f: Formulation, one: Condition) -> str:
    """A condition as a Python expression."""
    if one.kind == "member":
        return f"{tuple_of(list(one.of))} in {one.table}"
    low, high = (None if end is None else whole(number(f, end)) for end in (one.low, one.high))
    if low == high:
        return f"{one.of[0]} == {low}"
    if low is None:
        return f"{one.of[0]} <= {high}"
    return f"{one.of[0]} >= {low}" if high is None else f"{low} <= {one.of[0]} <= {high}"


class Sum:
    """One term over its group, in Python; `indexed` are the lookups made so far."""

    def __init__(self, f: Formulation, term: Term, group: Group, indexed: set[str]) -> None:
        self.f, self.term, self.group, self.indexed = f, term, group, indexed
        self.at = [expression(one) for one in term.at]
        self.over = set(term.over)
        self.key = [k for k, text in enumerate(self.at) if text not in self.over]
        self.ahead: list[str] = []
        self.reached: Condition | None = None
        self.modular: Condition | None = None
        self.listed: Condition | None = None
        self.ranged: Condition | None = None
        self.owners: list[Condition] = []
        self.tests: list[str] = []
        for one in term.where:
            self._take(one)

    def _take(self, one: Condition) -> None:
        depends = {*letters_of(one.low), *letters_of(one.high)}
        turned = one.kind == "between" and one.of[0] not in self.over and bool(depends & self.over)
        if one.kind == "modular":
            self.modular = one
        elif one.kind == "member" and self.over & set(one.of):
            self.listed = self.listed or one
            if self.listed is not one:
                self.tests.append(condition_of(self.f, one))
        elif turned and one.low is not None and one.low.parameter and one.low == one.high:
            self.owners.append(one)
        elif turned:
            self.reached = one
        elif (
            one.kind == "between"
            and one.of[0] in self.over
            and one.low
            and one.high
            and (self.ranged is None)
        ):
            self.ranged = one
        else:
            self.tests.append(condition_of(self.f, one))

    def before(self) -> list[str]:
        """Lines that stand before the loop over the rows."""
        self.lines("")
        made = self.ahead
        self.ahead = []
        return made

    def lines(self, use: str) -> list[str]:
        """Lines within it; `use` has the places {key} and {coefficient}."""
        name = self.group.name
        key = f"{name}[{key_of(self.at)}]" if self.at else name
        done = use.replace("{key}", key).replace(
            "{coefficient}", number(self.f, self.term.coefficient)
        )
        loops: list[str] = []
        known = list(self.key)
        sure = True
        if self.owners:
            loops.append(self._owned(self.owners))
            owned = self.over & {*letters_of(self.owners[0].low)}
            known += [k for k, text in enumerate(self.at) if text in owned]
            sure = False
            if self.listed is not None:
                self.tests.insert(0, condition_of(self.f, self.listed))
                self.listed = None
        if self.listed is not None:
            mine = [text for text in self.listed.of if text not in self.over]
            free = [text for text in self.listed.of if text in self.over]
            loops.append(self._through(self.listed, mine))
            known += [k for k, text in enumerate(self.at) if text in free]
            sure = False
        if self.ranged is not None and self.ranged.of[0] not in (self.at[k] for k in known):
            ends = [end for end in (self.ranged.low, self.ranged.high) if end is not None]
            low, high = (whole(number(self.f, end)) for end in ends)
            loops.append(f"for {self.ranged.of[0]} in range({low}, {high} + 1):")
            known += [k for k, text in enumerate(self.at) if text == self.ranged.of[0]]
            sure = False
        elif self.ranged is not None:
            self.tests.insert(0, condition_of(self.f, self.ranged))
            self.ranged = None
        rest = [k for k in range(len(self.at)) if k not in known]
        tests = list(self.tests)
        if rest or self.reached or self.modular:
            loops.append(self._among(sorted(known), rest))
        elif (not (self.term.complete and sure) and self.at) or not sure:
            tests.insert(0, f"{tuple_of(self.at)} in {name}")
        if tests:
            loops.append(f"if {' and '.join(tests)}:")
        return ["    " * depth + line for depth, line in enumerate([*loops, done])]

    def _through(self, one: Condition, mine: list[str]) -> str:
        """A loop over the tuples of a table that have the letters known so far."""
        pattern = ", ".join(text if text in self.over else "_" for text in one.of)
        if not mine:
            return f"for {pattern} in {one.table}:"
        names = [f"k{k}" for k in range(len(one.of))]
        places = [k for k, text in enumerate(one.of) if text not in self.over]
        index = f"{one.table}_by_{'_'.join(str(k + 1) for k in places)}"
        taken = tuple_of([names[k] for k in places])
        self._index(index, f"{index} = group_by({one.table}, lambda {', '.join(names)}: {taken})")
        return f"for {pattern} in {index}[{key_of(mine)}]:"

    def _owned(self, owners: list[Condition]) -> str:
        """A loop over the tuples whose values in a table are the row's indices."""
        table, letters = self._source(owners[0]), letters_of(owners[0].low)
        self.owners = [
            one for one in owners
            if self._source(one) == table and letters_of(one.low) == letters
        ]  # fmt: skip
        self.tests += [condition_of(self.f, one) for one in owners if one not in self.owners]
        names = [f"k{k}" for k in range(len(letters))]
        swap = dict(zip(letters, names, strict=True))
        bound = [k for k, text in enumerate(letters) if text not in self.over]
        values = [number(self.f, swapped(one.low, swap)) for one in self.owners if one.low]
        taken = tuple_of([*values, *(names[k] for k in bound)])
        asked = key_of([*(one.of[0] for one in self.owners), *(letters[k] for k in bound)])
        index = re.sub(r"\W+", "_", f"{table}_by_{taken}").strip("_")
        self._index(index, f"{index} = group_by({table}, lambda {', '.join(names)}: {taken})")
        pattern = ", ".join(text if text in self.over else "_" for text in letters)
        return f"for {pattern} in {index}[{asked}]:"

    def _source(self, one: Condition) -> str:
        """The table whose indices the parameter of an equation is asked for first."""
        assert one.low is not None
        inner = next(filter(None, (parts_of(text)[0] for text in one.low.of)), one.low.parameter)
        return next(known.table for known in self.f.parameters if known.name == inner)

    def _among(self, known: list[int], rest: list[int]) -> str:
        """A loop over the variables of the group that have the indices known so far."""
        name, letters = self.group.name, self.group.index
        pattern = ", ".join(self.at[k] if k in rest else "_" for k in range(len(self.at)))
        taken = [letters[k] for k in known]
        asked = [self.at[k] for k in known]
        label = "".join(f"_{letter}" for letter in taken)
        if self.reached is not None:
            return self._reaching(known, pattern)
        if self.modular is not None:
            row, col = self.modular.of
            k = self.at.index(col)
            taken.append(f"{letters[k]} % {self.modular.modulus}")
            asked.append(f"({row} + {self.modular.shift}) % {self.modular.modulus}")
            label += f"_{letters[k]}_mod_{self.modular.modulus}"
        if not taken:
            return f"for {pattern} in {name}:"
        index = f"{name}_by{label}"
        line = f"{index} = group_by({name}, lambda {', '.join(letters)}: {tuple_of(taken)})"
        self._index(index, line)
        return f"for {pattern} in {index}[{key_of(asked)}]:"

    def _reaching(self, known: list[int], pattern: str) -> str:
        """The variables under each row index that lies between their first and last."""
        one = self.reached
        assert one is not None and one.low is not None and one.high is not None
        letter, letters = one.of[0], list(self.group.index)
        swap = {text: letters[k] for k, text in enumerate(self.at)}
        ends = []
        for end in (one.low, one.high):
            turned = swapped(end, swap)
            ends.append(whole(number(self.f, turned)))
        index = self._fresh(f"{self.group.name}_reaching_{letter}")
        own = [letters[k] for k in known]
        step = letter if letter not in letters else f"{letter}_"
        if self.ahead is not None and index not in self.indexed:
            self.indexed.add(index)
            self.ahead += [
                f"{index} = defaultdict(list)",
                f"for {', '.join(letters)} in {self.group.name}:",
                f"    for {step} in range({ends[0]}, {ends[1]} + 1):",
                f"        {index}[{key_of([*own, step])}].append({tuple_of(letters)})",
            ]
        return f"for {pattern} in {index}[{key_of([*(self.at[k] for k in known), letter])}]:"

    def _fresh(self, wanted: str) -> str:
        if not hasattr(self, "_made"):
            number = 2
            name = wanted
            while name in self.indexed:
                name, number = f"{wanted}_{number}", number + 1
            self._made = name
        return self._made

    def _index(self, name: str, line: str) -> None:
        if name not in self.indexed:
            self.indexed.add(name)
            self.ahead.append(line)


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


def program_names(formulation: Formulation) -> tuple[list[str], list[str]]:
    """For each MPS column and row, the name in the exported program: `x[1,oslo]`."""
    return _names(formulation, formulation.groups), _names(formulation, formulation.families)


def _names(f: Formulation, units: Sequence[Group | Family]) -> list[str]:
    words = {one.name: one.words for one in f.sets}
    found = [""] * sum(unit.size for unit in units)
    for unit in units:
        fields = [
            [f.symbols[value] for value in field.tolist()] if words[one] else field.tolist()
            for field, one in zip(f.keys[unit.name], unit.sets, strict=True)
        ]
        places = f.members[unit.name].tolist()
        if not fields:
            found[places[0]] = unit.name
            continue
        for place, *key in zip(places, *fields, strict=True):
            found[place] = f"{unit.name}[{','.join(map(str, key))}]"
    return found
