"""Values, indices, conditions and terms of a formulation in words, without numbers of the data."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ordojo.core.errors import UsageError
from ordojo.structure.formulation import Condition, Factor, Formulation, Group, Subscript, Term
from ordojo.structure.formulation import Value as Said

SMALL = {0.0: "zero", 1.0: "one"}


class NamedNumbers:
    """The named numbers of a text: scalars of the formulation, and those that the words need."""

    def __init__(self, formulation: Formulation) -> None:
        self.values: dict[str, float | int] = {}
        self._taken = {one.name for one in formulation.parameters}
        self._scalars = {
            one.name: one.value for one in formulation.parameters if one.value is not None
        }

    def scalar(self, name: str) -> str | None:
        """`{name}` for a scalar parameter, else None."""
        if name not in self._scalars:
            return None
        self.values[name] = plain(self._scalars[name])
        return f"{{{name}}}"

    def put(self, role: str, value: float) -> str:
        """A word for zero and one, else `{role}` with a running number where it is taken."""
        if value in SMALL:
            return SMALL[value]
        value, name, count = plain(value), role, 1
        while name in self._taken or self.values.get(name, value) != value:
            count += 1
            name = f"{role}_{count}"
        self.values[name] = value
        return f"{{{name}}}"


def plain(value: float) -> float | int:
    """A whole number as one."""
    return int(value) if math.isfinite(value) and value == int(value) else value


def called(name: str, index: Sequence[str]) -> str:
    """A name with its indices, in backticks."""
    return f"`{name}[{', '.join(index)}]`" if index else f"`{name}`"


class FormulationWords:
    """Says the parts of one formulation."""

    def __init__(self, formulation: Formulation) -> None:
        self.numbers = NamedNumbers(formulation)
        self.groups = {group.name: group for group in formulation.groups}

    def value(self, one: Said, role: str) -> str:
        """The absolute value in words: a sign of -1 is left to `negative`."""
        if one.kind == "number":
            return self.numbers.put(role, abs(one.number))
        if one.kind == "parameter":
            return self.numbers.scalar(one.parameter) or called(one.parameter, one.of)
        step, start = (-one.step, -one.number) if negative(one) else (one.step, one.number)
        line = f"`{one.of[0]}`"
        if abs(step) != 1:
            line = f"{self.numbers.put('step', abs(step))} times {line}"
        if step < 0:
            return f"({self.numbers.put('start', start)} minus {line})"
        if start:
            word = "plus" if start > 0 else "minus"
            line = f"({line} {word} {self.numbers.put('start', abs(start))})"
        if one.plus is not None:
            line = f"{line} plus {self.value(one.plus, role)}"
        return line

    def index(self, at: Subscript) -> str:
        """An index expression; offsets of more than one are named numbers."""
        if at.lookup:
            return f"{at.lookup}[{', '.join(at.of)}]"
        if not at.letter:
            return at.word or self._inside("element", at.shift)
        if at.shift:
            sign = "+" if at.shift > 0 else "-"
            return f"{at.letter} {sign} {self._inside('shift', abs(at.shift))}"
        return at.letter

    def _inside(self, role: str, value: int) -> str:
        return str(value) if value in (0, 1) else self.numbers.put(role, value)

    def scope(self, domain: Sequence[Factor]) -> str:
        """`each i in I and each (j, k) in JK`."""
        return " and ".join(f"each {_letters(one.letters)} in `{one.source}`" for one in domain)

    def condition(self, one: Condition) -> str:
        """A condition in words."""
        if one.kind == "member":
            return f"{_letters(one.of)} in `{one.table}`"
        if one.kind == "modular":
            first, second = one.of[0], one.of[1]
            shift = f" plus {self.numbers.put('shift', one.shift)}" if one.shift else ""
            modulus = self.numbers.put("modulus", one.modulus)
            return f"`{second}` equal to `{first}`{shift} modulo {modulus}"
        low, high = one.low, one.high
        letter = f"`{one.of[0]}`"
        if low is not None and low == high:
            return f"{letter} equal to {self.signed(low, 'bound')}"
        parts = [] if low is None else [f"from {self.signed(low, 'bound')}"]
        parts += [] if high is None else [f"up to {self.signed(high, 'bound')}"]
        return f"{letter} {' '.join(parts)}"

    def signed(self, one: Said, role: str) -> str:
        """A value with its sign."""
        return f"{'minus ' if negative(one) else ''}{self.value(one, role)}"

    def term(self, term: Term) -> str:
        """The absolute value of a term: a sum, a product or a variable, with what restricts it."""
        group = self.groups[term.group]
        body = self.product(
            term.coefficient, called(term.group, [self.index(at) for at in term.at])
        )
        inner = [self.condition(one) for one in term.where if not one.scope]
        outer = [self.condition(one) for one in term.where if one.scope]
        if term.over:
            ranges = self._ranges(term, group)
            joint = " and " if " with " in ranges else " with "
            limits = joint + " and ".join(inner) if inner else ""
            body = f"the sum of {body} over {ranges}{limits}"
            inner = []
        notes = [*inner, *outer]
        if notes:
            return f"{body} (only for {' and '.join(notes)})"
        return f"{body} (where it exists)" if not term.complete and not term.over else body

    def product(self, coefficient: Said, variable: str) -> str:
        """`c times x`, without a coefficient of one."""
        if coefficient.kind == "number" and abs(coefficient.number) == 1:
            return variable
        return f"{self.value(coefficient, 'factor')} times {variable}"

    def _ranges(self, term: Term, group: Group) -> str:
        parts = []
        for factor in group.domain:
            places = [term.at[group.index.index(letter)] for letter in factor.letters]
            if not any(at.letter in term.over for at in places):
                continue
            texts = [self.index(at) for at in places]
            loose = [text for text in texts if text in term.over]
            if len(texts) == 1:
                parts.append(f"all `{texts[0]}` in `{factor.source}`")
            elif len(loose) == len(texts):
                parts.append(f"all {_letters(texts)} in `{factor.source}`")
            else:
                some = ", ".join(f"`{text}`" for text in loose)
                parts.append(f"all {some} with {_letters(texts)} in `{factor.source}`")
        return " and ".join(parts)


def negative(one: Said) -> bool:
    """Whether a value is said as the negative of its absolute value."""
    if one.kind == "number":
        return one.number < 0
    if one.kind == "affine":
        return one.step < 0 and one.number <= 0
    return one.sign < 0


def _letters(letters: Sequence[str]) -> str:
    return f"`{letters[0]}`" if len(letters) == 1 else f"`({', '.join(letters)})`"


@dataclass(frozen=True)
class TextScenario:
    """A setting. `ordered` is the word for an index with neighbours, `nouns` for the others.

    Words are pairs (one, many); the story has no number and no rule in it.
    """

    name: str
    story: str
    ordered: tuple[str, str]
    nouns: tuple[tuple[str, str], ...]


PERIOD = ("period", "periods")
ITEM = ("item", "items")
SCENARIOS = (
    TextScenario(
        "assignment",
        "A service centre distributes its work. Each task can be given to several teams, and teams "
        "differ in what they can do and in what they can take on.",
        PERIOD,
        (("task", "tasks"), ("team", "teams"), ("skill", "skills"), ITEM),
    ),
    TextScenario(
        "selection",
        "A planning office chooses among options that exclude, need or complete each other, and "
        "wants the best selection that keeps all rules.",
        ("position", "positions"),
        (("option", "options"), ("group", "groups"), ("aspect", "aspects"), ITEM),
    ),
    TextScenario(
        "cutting",
        "A workshop fits orders into stock. What is started has to be used well, and every order "
        "has to be met.",
        ("position", "positions"),
        (("order", "orders"), ("container", "containers"), ("pattern", "patterns"), ITEM),
    ),
    TextScenario(
        "energy",
        "An operator plans its units ahead, so that demand is met at all times and no unit is run "
        "against its limits.",
        PERIOD,
        (("unit", "units"), ("resource", "resources"), ("region", "regions"), ITEM),
    ),
    TextScenario(
        "location",
        "A company decides which sites to run and which site serves which customer.",
        PERIOD,
        (("customer", "customers"), ("site", "sites"), ("product", "products"), ITEM),
    ),
    TextScenario(
        "network",
        "A carrier plans what moves over the links of its network, from where it is made to where "
        "it is needed.",
        PERIOD,
        (("node", "nodes"), ("link", "links"), ("good", "goods"), ITEM),
    ),
    TextScenario(
        "production",
        "A plant plans its production ahead: what is made when, on which resource, and what is "
        "kept in between.",
        PERIOD,
        (("product", "products"), ("resource", "resources"), ("job", "jobs"), ITEM),
    ),
    TextScenario(
        "transport",
        "A carrier plans its trips: which trip covers which stop, and in which order.",
        PERIOD,
        (("stop", "stops"), ("trip", "trips"), ("vehicle", "vehicles"), ITEM),
    ),
    TextScenario(
        "graph",
        "A coordinator handles places and the conflicts and neighbourhoods between them.",
        ("step", "steps"),
        (("place", "places"), ("label", "labels"), ("connection", "connections"), ITEM),
    ),
    TextScenario(
        "sequencing",
        "A dispatcher orders jobs that get in each other's way, and sets a time for each.",
        PERIOD,
        (("job", "jobs"), ("machine", "machines"), ("stage", "stages"), ITEM),
    ),
    TextScenario(
        "plain",
        "A planner has decisions to take, described by the tables below, and wants the best ones "
        "that keep all rules.",
        ("position", "positions"),
        (ITEM,),
    ),
)


def find_scenario(name: str) -> TextScenario:
    """The scenario of that name; raises UsageError."""
    for one in SCENARIOS:
        if one.name == name:
            return one
    names = ", ".join(one.name for one in SCENARIOS)
    raise UsageError(f"there is no scenario '{name}'; choose one of {names}")
