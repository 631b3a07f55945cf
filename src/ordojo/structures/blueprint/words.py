"""A formulation in words: its values, indices, conditions and terms, without numbers of the data.

`FormulationWords` says them, `NamedNumbers` are the numbers that a text has by name. A
`TextScenario` is a setting with nouns for the roles of sets; `SCENARIOS` are all of them,
`find_scenario` gives one by its name.
"""

import ast
import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ordojo.core.errors import UsageError
from ordojo.formulation.algebra import Elements, index_owners, indices, loops, names_in, tuple_of
from ordojo.formulation.build import bind
from ordojo.formulation.spec import PARAMETERS, SETS, Family, Group
from ordojo.formulation.terms import Summand, elements, is_existence, stored, summands
from ordojo.structures.formulation import Formulation
from ordojo.structures.formulation.spec import SMALL


class NamedNumbers:
    """The named numbers of a text: scalars of the formulation, and those that the words need."""

    def __init__(self, formulation: Formulation) -> None:
        self.values: dict[str, float | int] = {}
        scalars = formulation.tables.get(PARAMETERS, {})
        self._scalars = {name: value for name, (value,) in scalars.items() if name != "offset"}
        self._taken = {one.name for one in formulation.spec.parameters} - {"offset"}

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


def fixed(f: Formulation, group: Group) -> bool:
    """Whether each column of a group has one value that it may take."""
    scalars = f.tables.get(PARAMETERS, {})
    low, high = (scalars.get(end, [end])[0] for end in (group.lower, group.upper))
    return bool(group.lower) and low == high


def called(name: str, index: Sequence[str]) -> str:
    """A name with its indices, in backticks."""
    return f"`{name}[{', '.join(index)}]`" if index else f"`{name}`"


def constant(tree: ast.expr) -> float | None:
    """The number that an expression is, if it is one."""
    match tree:
        case ast.Constant(int() | float() as value):
            return float(value)
        case ast.Name("inf"):
            return math.inf
        case ast.UnaryOp(ast.USub(), part) if (size := constant(part)) is not None:
            return -size
    return None


class FormulationWords:
    """Says the parts of one formulation."""

    def __init__(self, formulation: Formulation) -> None:
        self.formulation = formulation
        self.spec = formulation.spec
        self.numbers = NamedNumbers(formulation)
        self.groups = {group.name: group for group in self.spec.groups}
        self._parameters = {one.name for one in self.spec.parameters}

    def value(self, tree: ast.expr, role: str) -> str:
        """The size of a value in words: a sign before all of it is left to `negative`."""
        if (number := constant(tree)) is not None:
            return self.numbers.put(role, abs(number))
        match tree:
            case ast.UnaryOp(ast.USub(), part) if self._is_parameter(part):
                return self.value(part, role)
            case ast.Name() | ast.Subscript() if self._is_parameter(tree):
                return self.numbers.scalar(ast.unparse(tree)) or f"`{self.index(tree)}`"
        return self._along(tree, role)

    def negative(self, tree: ast.expr) -> bool:
        """Whether a value is said as the negative of its size."""
        if (number := constant(tree)) is not None:
            return number < 0
        match tree:
            case ast.UnaryOp(ast.USub(), part) if self._is_parameter(part):
                return True
            case ast.Name() | ast.Subscript() if self._is_parameter(tree):
                return False
        step, _, start, _ = self._line(tree)
        return step < 0 and start <= 0

    def subtracted(self, term: Summand) -> bool:
        """Whether a term is said as the negative of its size."""
        return term.minus ^ (term.factor is not None and self.negative(term.factor))

    def _is_parameter(self, tree: ast.expr) -> bool:
        while isinstance(tree, ast.Subscript):
            tree = tree.value
        return isinstance(tree, ast.Name) and tree.id in self._parameters

    def _line(self, tree: ast.expr) -> tuple[int, str, int, tuple[bool, ast.expr] | None]:
        """A step, the letter that it is times of, what is added, and a parameter with its sign."""
        step, letter, start, plus = 0, "", 0, None
        for minus, part in summands(tree):
            sign = -1 if minus else 1
            match part:
                case ast.Constant(int() as size):
                    start += sign * size
                case ast.BinOp(ast.Constant(int() as size), ast.Mult(), part):
                    step, letter = sign * size, ast.unparse(part)
                case _ if self._is_parameter(part):
                    plus = minus, part
                case _:
                    step, letter = sign, ast.unparse(part)
        return step, letter, start, plus

    def _along(self, tree: ast.expr, role: str) -> str:
        step, letter, start, plus = self._line(tree)
        if self.negative(tree):
            step, start = -step, -start
        text = f"`{letter}`"
        if abs(step) != 1:
            text = f"{self.numbers.put('step', abs(step))} times {text}"
        if step < 0:
            return f"({self.numbers.put('start', start)} minus {text})"
        if start:
            word = "plus" if start > 0 else "minus"
            text = f"({text} {word} {self.numbers.put('start', abs(start))})"
        if plus is not None:
            minus, more = plus
            text = f"({text} {'minus' if minus else 'plus'} {self.value(more, role)})"
        return text

    def index(self, at: ast.expr) -> str:
        """An index expression; offsets of more than one are named numbers."""
        if (number := constant(at)) is not None:
            return self._inside("element", int(number))
        match at:
            case ast.Constant(str() as word):
                return word
            case ast.Subscript(base, key):
                return f"{ast.unparse(base)}[{', '.join(map(self.index, elements(key)))}]"
            case ast.BinOp(ast.Name(letter), sign, ast.Constant(int() as shift)):
                sign_ = "+" if isinstance(sign, ast.Add) else "-"
                return f"{letter} {sign_} {self._inside('shift', shift)}"
        return ast.unparse(at)

    def _inside(self, role: str, value: int) -> str:
        return str(value) if value in (0, 1) else self.numbers.put(role, value)

    def variable(self, one: Summand) -> str:
        """The variable of a term."""
        owners = index_owners(self.spec, self.groups[one.group].scope)
        return called(one.group, list(map(self._element, one.at, owners)))

    def _element(self, at: ast.expr, owner: str) -> str:
        """An index expression; the first and the last of a set's numbers are called that."""
        ends = self.formulation.tables.get(SETS, {}).get(owner, [])
        for word, end in zip(("first", "last"), ends, strict=False):
            if constant(at) == end and end not in (0, 1):
                return self.numbers.put(f"{word}_{owner}", end)
        return self.index(at)

    def scope(self, scope: str, word: str = "each") -> str:
        """`each i in I and each (j, k) in JK`."""
        every = loops(scope)
        return " and ".join(f"{word} {_letters(one.indices)} in `{one.over}`" for one in every)

    def condition(self, test: ast.expr, own: Set[str] = frozenset()) -> str:
        """A condition in words; of two letters it is said of one of `own`."""
        match test:
            case ast.Compare(left, [ast.In()], [table]):
                return f"{_letters([*map(self.index, elements(left))])} in `{ast.unparse(table)}`"
            case ast.Compare(ast.BinOp(second, ast.Mod(), modulus), [ast.Eq()], [ast.BinOp(first)]):
                shift = ""
                if isinstance(first, ast.BinOp):
                    shift = f" plus {self.value(first.right, 'shift')}"
                    first = first.left
                equal = f"`{self.index(second)}` equal to `{self.index(first)}`{shift}"
                return f"{equal} modulo {self.value(modulus, 'modulus')}"
            case ast.Compare(value, [ast.Eq()], [letter]):
                return f"`{self.index(letter)}` equal to {self.signed(value, 'bound')}"
            case ast.Compare(low, [ast.LtE(), ast.LtE()], [letter, high]):
                return self._between(letter, low, high)
            case ast.Compare(letter, [ast.LtE()], [high]) if ast.unparse(letter) in own or (
                constant(letter) is None and not self._is_letter(high)
            ):
                return self._between(letter, None, high)
            case ast.Compare(low, [ast.LtE()], [letter]):
                return self._between(letter, low, None)
        raise TypeError(f"no condition: {ast.unparse(test)}")

    def _is_letter(self, tree: ast.expr) -> bool:
        return isinstance(tree, ast.Name) and not self._is_parameter(tree)

    def _between(self, letter: ast.expr, low: ast.expr | None, high: ast.expr | None) -> str:
        parts = [f"`{self.index(letter)}`"]
        parts += [] if low is None else [f"from {self.signed(low, 'bound')}"]
        parts += [] if high is None else [f"up to {self.signed(high, 'bound')}"]
        return " ".join(parts)

    def signed(self, one: ast.expr, role: str) -> str:
        """A value with its sign."""
        return f"{'minus ' if self.negative(one) else ''}{self.value(one, role)}"

    def term(self, one: Summand, family: Family) -> str:
        """The size of a family's term: a sum, a product or a variable, with what restricts it."""
        body = self.product(one.factor, self.variable(one))
        own = {letter for loop in one.loops for letter in stored(loop.target)}
        asked: list[ast.expr] = [
            ast.Compare(loop.target, [ast.In()], [loop.iter]) for loop in one.loops
        ]
        asked += [test for test in one.tests if not is_existence(test, self.groups)]
        ranges, said = self._ranges(one, own, asked)
        tests = [test for test in asked if ast.unparse(test) not in said]
        tests.sort(key=lambda test: " in " not in ast.unparse(test))
        inner = [self.condition(test, own) for test in tests if names_in(test) & own]
        outer = [test for test in tests if not names_in(test) & own]
        notes = [self.condition(test) for test in outer if not self.always(test, family)]
        if one.loops:
            joint = " and " if " with " in ranges[-1] else " with "
            limits = joint + " and ".join(inner) if inner else ""
            body = f"the sum of {body} over {' and '.join(ranges)}{limits}"
        return body + self._noted(one, notes)

    def always(self, test: ast.expr, family: Family) -> bool:
        """Whether a condition holds in each row of a family."""
        code, letters = compile(ast.unparse(test), "<test>", "eval"), indices(family.scope)
        rows = (dict(zip(letters, key, strict=True)) for key in self.formulation.keys(family.name))
        try:
            return all(eval(code, self._data, row) for row in rows)
        except LookupError:
            return False

    @cached_property
    def _data(self) -> dict[str, Any]:
        """Sets and parameters by name; whether an element is in a set is known at once."""
        found = bind(self.spec, self.formulation.tables)
        return found | {one.name: Elements(found[one.name]) for one in self.spec.sets}

    def _noted(self, one: Summand, notes: Sequence[str]) -> str:
        perhaps = any(is_existence(test, self.groups) for test in one.tests)
        parts = ["where it exists"] if perhaps else []
        parts += [f"only for {' and '.join(notes)}"] if notes else []
        return f" ({', '.join(parts)})" if parts else ""

    def _ranges(
        self, one: Summand, own: set[str], asked: Sequence[ast.expr]
    ) -> tuple[list[str], set[str]]:
        """The indices of a group that are summed over, and the memberships that this says."""
        scope = self.groups[one.group].scope
        at = dict(zip(indices(scope), one.at, strict=True))
        owners = zip(map(ast.unparse, one.at), index_owners(self.spec, scope), strict=True)
        said = {f"{letter} in {owner}" for letter, owner in owners if letter in own}
        parts = []
        for loop in loops(scope):
            mine = [at[letter] for letter in loop.indices]
            loose = [ast.unparse(one) for one in mine if ast.unparse(one) in own]
            texts = _letters([self.index(one) for one in mine])
            if len(loose) == len(mine):
                over = self._narrowed(loop.over, loose, asked)
                said.add(f"{loose[0]} in {over}")
                parts.append(f"all {texts} in `{over}`")
            elif loose:
                some = ", ".join(f"`{text}`" for text in loose)
                parts.append(f"all {some} with {texts} in `{loop.over}`")
            if loose:
                said.add(f"{tuple_of([ast.unparse(one) for one in mine])} in {loop.over}")
        return parts, said

    def _narrowed(self, over: str, letters: Sequence[str], asked: Sequence[ast.expr]) -> str:
        """The part of a set that one letter runs through, where it is asked to be in one."""
        known = {ast.unparse(test) for test in asked}
        parts = (one.name for one in self.spec.sets if one.within == over and len(letters) == 1)
        return next((name for name in parts if f"{letters[0]} in {name}" in known), over)

    def product(self, coefficient: ast.expr | None, variable: str) -> str:
        """`c times x`, without a coefficient of one."""
        if coefficient is None or abs(constant(coefficient) or 0.0) == 1:
            return variable
        return f"{self.value(coefficient, 'factor')} times {variable}"

    def only(self, one: Summand) -> str:
        """What restricts a term that is no sum."""
        tests = [test for test in one.tests if not is_existence(test, self.groups)]
        return self._noted(one, [*map(self.condition, tests)])


def _letters(letters: Sequence[str]) -> str:
    return f"`{letters[0]}`" if len(letters) == 1 else f"`({', '.join(letters)})`"


Noun = tuple[str, str]


@dataclass(frozen=True)
class TextScenario:
    """A setting. `nouns` are its words, one and many, for the roles of sets, by the role.

    A set may also be called by its own name; what is not called is an item. The story has no
    number and no rule in it.
    """

    name: str
    story: str
    nouns: Mapping[str, Noun]


def _setting(name: str, story: str, **nouns: str) -> TextScenario:
    """A setting with nouns such as "task tasks" by the role."""
    pairs = ((role, words.split()) for role, words in nouns.items())
    return TextScenario(name, story, {role: (one, many) for role, (one, many) in pairs})


ITEM: Noun = ("item", "items")
POSITION: Noun = ("position", "positions")
PLAIN = TextScenario("plain", "", {})
"""No story: what the structure shows is told in its place."""
SCENARIOS = (
    _setting("assignment", "A service centre distributes its work. Each task can be given to "
             "several teams, and teams differ in what they can do and in what they can take on.",
             requirement="task tasks", option="team teams"),
    _setting("selection", "A planning office chooses among options that exclude, need or complete "
             "each other, and wants the best selection that keeps all rules.",
             requirement="group groups", option="option options"),
    _setting("cutting", "A workshop fits orders into stock. What is started has to be used well, "
             "and every order has to be met.",
             requirement="order orders", option="pattern patterns"),
    _setting("energy", "An operator plans its units ahead, so that demand is met at all times and "
             "no unit is run against its limits.",
             node="bus buses"),
    _setting("location", "A company decides which sites to run and which site serves which "
             "customer.",
             requirement="customer customers", option="site sites"),
    _setting("network", "A carrier plans what moves over the links of its network, from where it "
             "is made to where it is needed.",
             option="link links", requirement="demand demands"),
    _setting("production", "A plant plans its production ahead: what is made when, on which "
             "resource, and what is kept in between.",
             requirement="job jobs", option="resource resources"),
    _setting("transport", "A carrier plans its trips: which trip covers which stop, and in which "
             "order.",
             node="stop stops", requirement="stop stops", option="trip trips"),
    _setting("graph", "A coordinator handles places and the conflicts and neighbourhoods between "
             "them.",
             node="place places", requirement="place places", option="label labels"),
    _setting("sequencing", "A dispatcher orders jobs that get in each other's way, and sets a time "
             "for each.",
             requirement="job jobs", option="slot slots"),
    PLAIN,
)  # fmt: skip


def find_scenario(name: str) -> TextScenario:
    """The scenario of that name; raises UsageError."""
    for one in SCENARIOS:
        if one.name == name:
            return one
    names = ", ".join(one.name for one in SCENARIOS)
    raise UsageError(f"there is no scenario '{name}'; choose one of {names}")
