"""What structure recovers, as a declaration in the one language, with its numbers as tables.

Each term becomes a sum over the set, table or group that says its entries: relations between
letters stand as conditions, which `formulation.algebra` turns into look-ups again.
"""

import math
from collections.abc import Iterable
from dataclasses import replace

from ordojo.formulation import spec
from ordojo.formulation.algebra import tuple_of
from ordojo.formulation.spec import PARAMETERS, Column, Spec, Tables
from ordojo.formulation.vocabulary import Scaffold, Semantic
from ordojo.structure.abstraction.tables import Array
from ordojo.structure.formulation.spec import (
    Condition,
    Factor,
    Family,
    Formulation,
    Group,
    Term,
    Value,
    called,
    expression,
    shortest,
)
from ordojo.structure.labels import Labels

_RANGES = "sets/{}"
"""The table of a set of numbers from first to last: that of its own name may hold fewer rows."""


def declare(f: Formulation, labels: Labels | None = None) -> tuple[Spec, Tables]:
    """The declaration of a formulation and its data; `build` of both is the model again."""
    return declaration(f, labels), _tables(f)


def declaration(f: Formulation, labels: Labels | None = None) -> Spec:
    """The declaration alone.

    Without `labels` families are of the commonest kind, and no more is known of them. Sections that
    no family says are left out.
    """
    groups = {group.name: group for group in f.groups}
    cost = [
        (
            negative(group.cost),
            _sum(product(group.cost, called(group.name, group.index)), _scope(group.domain), ()),
        )
        for group in f.groups
        if value(group.cost) != "0"
    ]
    if f.offset:
        cost.append((False, "offset"))
    kinds = {one.family: (one.semantic, one.scaffold) for one in labels.families} if labels else {}
    unknown = Semantic.UPPER_WEIGHTED_SUM, Scaffold.SINGLE_LOOP
    return Spec(
        scenario="",
        sets=tuple(_sets(f)),
        parameters=tuple(_parameters(f)),
        groups=tuple(_group(group) for group in f.groups),
        families=tuple(
            _family(one, groups, f, *kinds.get(k, unknown)) for k, one in enumerate(f.families)
        ),
        objective=spec.Objective("maximize" if f.maximize else "minimize", _signed(cost), ""),
    )


def value(one: Value) -> str:
    """A number, a parameter at its indices, or a line through an index."""
    if one.kind == "number":
        return shortest(one.number)
    if one.kind == "affine":
        step = "" if one.step == 1 else "-" if one.step == -1 else f"{one.step} * "
        start = int(one.number)
        rest = f" {'+' if start > 0 else '-'} {abs(start)}" if start else ""
        return f"{step}{one.of[0]}{rest}" + (f" + {value(one.plus)}" if one.plus else "")
    return f"{'-' if one.sign < 0 else ''}{called(one.parameter, one.of)}"


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


def negative(one: Value) -> bool:
    """Whether a coefficient is subtracted."""
    return (
        one.sign < 0
        if one.kind == "parameter"
        else one.kind == "number" and math.copysign(1, one.number) < 0
    )


def product(coefficient: Value, variable: str) -> str:
    """The size of a coefficient times a variable."""
    if coefficient.kind == "number" and abs(coefficient.number) == 1:
        return variable
    text = value(coefficient)
    text = f"({text})" if coefficient.kind == "affine" else text.removeprefix("-")
    return f"{text} * {variable}"


def _scope(domain: Iterable[Factor]) -> str:
    return " ".join(f"for {tuple_of(one.letters)} in {one.source}" for one in domain)


def _sum(body: str, scope: str, tests: Iterable[str]) -> str:
    """A sum where there are loops, else what holds under the tests alone."""
    joined = " and ".join(tests)
    if scope:
        return f"sum({body} {scope}" + (f" if {joined})" if joined else ")")
    return f"({body} if {joined} else 0)" if joined else body


def _signed(parts: list[tuple[bool, str]]) -> str:
    text = "".join(f" {'-' if minus else '+'} {part}" for minus, part in parts)
    return (text[1:].replace("- ", "-", 1) if text[1:2] == "-" else text[3:]) or "0"


class _Loops:
    """The loops and tests of one term, with a letter of their own for what is known before."""

    def __init__(self, term: Term, group: Group, f: Formulation) -> None:
        self.over, self.at = set(term.over), [expression(one) for one in term.at]
        self.taken = {*self.over, *group.index, *(text for text in self.at)}
        self.scope: list[str] = []
        self.tests: list[str] = []
        self.known = {text for text in self.at if text not in self.over}
        self.tables = {one.name: one.table for one in f.parameters}
        mine = [self._kind(one) for one in term.where]
        by = {kind: [one for k, one in zip(mine, term.where, strict=True) if k == kind]
              for kind in ("listed", "owner", "ranged", "member", "test")}  # fmt: skip
        if by["owner"]:
            low = by["owner"][0].low
            assert low is not None
            source = next((head for head, _ in map(parts_of, low.of) if head), low.parameter)
            self._loop(letters_of(low), self.tables[source])
            self.tests += [_test(one) for one in by["owner"]]
        for one in by["listed"]:
            if self.scope:
                self.tests.append(_test(one))
            else:
                self._loop(one.of, one.table)
        for one in by["ranged"]:
            if one.of[0] in self.known:
                self.tests.append(_test(one))
            else:
                assert one.low and one.high
                self.scope.append(
                    f"for {one.of[0]} in range({value(one.low)}, {value(one.high)} + 1)"
                )
                self.known.add(one.of[0])
        if not by["member"] and self.at and set(self.at) == self.over - self.known:
            # All variables of the group.
            letter = dict(zip(group.index, self.at, strict=True))
            told = [replace(one, letters=tuple(letter[k] for k in one.letters))
                    for one in group.domain]  # fmt: skip
            self.scope.append(_scope(told))
        elif by["member"] or not set(self.at) <= self.known:
            self._loop(self.at, group.name)
            self.tests += [_test(one) for one in by["member"]]
        elif self.at and (self.scope or not term.complete):
            self.tests.append(f"{tuple_of(self.at)} in {group.name}")
        self.tests += [_test(one) for one in by["test"]]

    def _kind(self, one: Condition) -> str:
        """How a condition limits the sum: by a loop of its own, or by one over the group."""
        inside = bool(self.over & set(one.of))
        if one.kind == "modular":
            return "member"
        if one.kind == "member":
            return "listed" if inside else "test"
        if not inside and self.over & {*letters_of(one.low), *letters_of(one.high)}:
            same = one.low is not None and one.low == one.high and one.low.parameter
            return "owner" if same else "member"
        return "ranged" if inside and one.low and one.high else "test"

    def _loop(self, texts: Iterable[str], source: str) -> None:
        own: list[str] = []
        equal: list[str] = []
        for text in texts:
            if text in self.over and text not in self.known:
                own.append(text)
                continue
            letter = f"{text}_" if text.isidentifier() else "k_"
            while letter in self.taken:
                letter += "_"
            self.taken.add(letter)
            own.append(letter)
            equal.append(f"{letter} == {text}")
        self.known |= set(own)
        self.scope.append(f"for {tuple_of(own)} in {source}")
        self.tests += equal


def _test(one: Condition) -> str:
    if one.kind == "member":
        return f"{tuple_of(one.of)} in {one.table}"
    if one.kind == "modular":
        row, col = one.of
        start = f"({row} + {one.shift})" if one.shift else row
        return f"{col} % {one.modulus} == {start} % {one.modulus}"
    low, high = (None if end is None else value(end) for end in (one.low, one.high))
    if low is not None and low == high:
        return f"{low} == {one.of[0]}"
    ends = f"{one.of[0]} <= {high}" if high is not None else one.of[0]
    return f"{low} <= {ends}" if low is not None else ends


def _term(term: Term, groups: dict[str, Group], f: Formulation, body: str = "") -> str:
    loops = _Loops(term, groups[term.group], f)
    variable = called(term.group, tuple(loops.at))
    whole = f"{variable}{body}" if body else product(term.coefficient, variable)
    return _sum(whole, " ".join(loops.scope), loops.tests)


def _family(
    family: Family, groups: dict[str, Group], f: Formulation, semantic: Semantic, scaffold: Scaffold
) -> spec.Family:
    left = _signed([(negative(one.coefficient), _term(one, groups, f)) for one in family.terms])
    right = value(family.rhs)
    plain = {"<=": "<=", ">=": ">=", "=": "=="}.get(family.sense)
    rule = f"{left} {plain} {right}"
    if plain is None or family.range is not None or not family.terms:
        sense = value(family.senses) if family.senses is not None else repr(family.sense)
        span = f", {value(family.range)}" if family.range is not None else ""
        rule = f"row({left}, {sense}, {right}{span})"
    given = tuple(_term(gate, groups, f, f" == {value(when)}") for gate, when in family.given)
    scope = _scope(family.domain) if family.index else ""
    return spec.Family(family.name, scope, rule, "", semantic, scaffold, given=given)


def _group(group: Group) -> spec.Group:
    low, up = ("" if math.isinf(one.number) else value(one) for one in (group.lower, group.upper))
    domain = value(group.types) if group.types is not None else group.type
    if math.isinf(group.lower.number) and group.lower.number > 0:
        low = "inf"
    if math.isinf(group.upper.number) and group.upper.number < 0:
        up = "-inf"
    scope = _scope(group.domain) if group.index else ""
    return spec.Group(group.name, scope, "", domain, "", low, up)


def _sets(f: Formulation) -> Iterable[spec.Set]:
    there = {one.name for one in f.sets}
    for one in f.sets:
        where = one.name if one.first is None else _RANGES.format(one.name)
        yield spec.Set(one.name, one.name, one.name, where, (one.letter,))
    for table in f.tables:
        if table.name not in there:
            yield spec.Set(table.name, table.name, table.name, table.name, table.keys, "",
                           table.sets if len(table.keys) > 1 else ())  # fmt: skip


def _parameters(f: Formulation) -> Iterable[spec.Parameter]:
    keys = {table.name: table.keys for table in f.tables}
    for one in f.parameters:
        if one.value is not None:
            yield spec.Parameter(one.name, one.role)
        else:
            yield spec.Parameter(
                one.name, one.role, "", one.index, one.table, keys[one.table], one.default
            )
    if f.offset:
        yield spec.Parameter("offset", "constant of the objective")


def _tables(f: Formulation) -> Tables:
    words = {one.name: one.words for one in f.sets}
    found: Tables = {}
    for table in f.tables:
        told = [words[one] for one in table.sets]
        told += [f.arrays[table.name][name].dtype == "uint32" for name in table.columns]
        found[table.name] = {
            name: _column(f, f.arrays[table.name][name], word)
            for name, word in zip((*table.keys, *table.columns), told, strict=True)
        }
    for one in f.sets:
        if one.first is not None and one.last is not None:
            where = _RANGES.format(one.name)
            found[where] = {one.letter: list(range(one.first, one.last + 1))}
    scalars = {one.name: [one.value] for one in f.parameters if one.value is not None}
    return {**found, PARAMETERS: {**scalars, "offset": [f.offset]}}


def _column(f: Formulation, values: Array, words: bool) -> Column:
    return [f.symbols[k] for k in values.tolist()] if words else values.tolist()
