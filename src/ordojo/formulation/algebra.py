"""Reading scopes and rules: loops, the names that they use, and sets looked up by their parts."""

import ast
import math
from collections.abc import Callable, Container, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from types import CodeType
from typing import Any, Union

from ordojo.core.errors import GeneratorError
from ordojo.formulation.spec import Spec


@dataclass(frozen=True)
class Loop:
    """One `for`: its index names, the set or range behind it (as text), and its conditions."""

    indices: tuple[str, ...]
    over: str
    conditions: tuple[str, ...]


@dataclass(frozen=True)
class Uses:
    """The names that a scope and a rule mention, in order of appearance."""

    sets: tuple[str, ...]
    parameters: tuple[str, ...]
    groups: tuple[str, ...]


@lru_cache(maxsize=4096)
def parse(text: str) -> ast.expr:
    """An expression's tree; raises GeneratorError where it is none."""
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError as error:
        raise GeneratorError(f"'{text}' is no expression ({error.msg}); correct it") from None


@lru_cache(maxsize=4096)
def loops(scope: str) -> tuple[Loop, ...]:
    """The loops of a scope, outermost first."""
    if not scope:
        return ()
    tree = parse(f"[0 {scope}]")
    if not isinstance(tree, ast.ListComp):
        raise GeneratorError(f"'{scope}' is no scope; write it as 'for i in I if ...'")
    return tuple(
        Loop(names(part.target), ast.unparse(part.iter), tuple(map(ast.unparse, part.ifs)))
        for part in tree.generators
    )


def names(target: ast.expr) -> tuple[str, ...]:
    """The index names of a loop's target."""
    parts = target.elts if isinstance(target, ast.Tuple) else [target]
    return tuple(map(written, parts))


def written(part: ast.expr) -> str:
    """How a part of an expression is written; of a name in no time."""
    return part.id if isinstance(part, ast.Name) else ast.unparse(part)


@lru_cache(maxsize=4096)
def relation(rule: str) -> str:
    """A rule as a call of `row`."""
    match parse(rule):
        case ast.Compare(left, [sense], [right]):
            sign = {ast.LtE: "<=", ast.GtE: ">=", ast.Eq: "="}[type(sense)]
            return f"row({ast.unparse(left)}, '{sign}', {ast.unparse(right)})"
    return rule


def indices(scope: str) -> tuple[str, ...]:
    """All index names of a scope, in order."""
    return tuple(name for loop in loops(scope) for name in loop.indices)


def index_sets(scope: str) -> tuple[str, ...]:
    """The sets that a scope loops over, in order."""
    return tuple(loop.over for loop in loops(scope))


def listed(scope: str, *values: str) -> str:
    """The text of a list with the indices of each member of a scope, and with these values."""
    key = "".join(f"{name}, " for name in indices(scope))
    return f"[({', '.join([f'({key})', *values])}) {scope or 'for _ in range(1)'}]"


@lru_cache(maxsize=4096)
def index_owners(spec: Spec, scope: str) -> tuple[str, ...]:
    """The set behind each index of a scope, "" for an index that stays a number."""
    known = {item.name for item in spec.sets}
    found: list[str] = []
    for loop in loops(scope):
        found += spec.owners(loop.over) if loop.over in known else [""] * len(loop.indices)
    return tuple(found)


@lru_cache(maxsize=4096)
def mentioned(*texts: str) -> tuple[str, ...]:
    """Every name in these scopes and rules, once, in order of appearance."""
    found: dict[str, None] = {}
    for text in texts:
        if not text:
            continue
        tree = parse(f"[0 {text}]" if text.startswith("for ") else text)
        nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
        for node in sorted(nodes, key=lambda node: (node.lineno, node.col_offset)):
            found.setdefault(node.id)
    return tuple(found)


def named(spec: Spec) -> frozenset[str]:
    """Every name in a declaration's scopes, bounds and rules."""
    texts = [spec.objective.rule]
    for group in spec.groups:
        texts += [group.scope, group.lower, group.upper]
    for family in spec.families:
        texts += [family.scope, family.rule, *family.given]
    return frozenset(mentioned(*texts))


def uses(spec: Spec, *texts: str) -> Uses:
    """What of a declaration the texts mention."""
    found = mentioned(*texts)

    def among(known: list[str]) -> tuple[str, ...]:
        return tuple(name for name in found if name in known)

    return Uses(
        among([item.name for item in spec.sets]),
        among([item.name for item in spec.parameters]),
        among([item.name for item in spec.groups]),
    )


class Elements(list[Any]):
    """A set's elements in order; whether one is among them is known at once."""

    def __init__(self, elements: Iterable[Any]) -> None:
        super().__init__(elements)
        self._there = frozenset(self)

    def __contains__(self, element: object) -> bool:
        return element in self._there


class Matching:
    """The elements of a set or group for which some expressions of them have given values."""

    def __init__(self) -> None:
        self._found: dict[tuple[int, str], dict[Any, list[Any]]] = {}

    def __call__(
        self, elements: Iterable[Any], text: str, key: Callable[..., Any], value: Any
    ) -> list[Any]:
        """Those whose `key`, of which `text` is the text, is `value`, in the set's order."""
        place = id(elements), text
        if place not in self._found:
            found: dict[Any, list[Any]] = {}
            for element in elements:
                parts = element if isinstance(element, tuple) else (element,)
                found.setdefault(key(*parts), []).append(element)
            self._found[place] = found
        return self._found[place].get(value, [])


def tuple_of(parts: Sequence[str]) -> str:
    """One index as it is, more as a tuple."""
    return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"


def called(name: str, index: Sequence[str]) -> str:
    """A name with its indices."""
    return f"{name}[{', '.join(index)}]" if index else name


def unused(stem: str, taken: Container[str], first: int = 2) -> str:
    """The stem with the first number behind it that makes it a name not taken."""
    return next(name for k in count(first) if (name := f"{stem}{k}") not in taken)


@lru_cache(maxsize=4096)
def compiled(spec: Spec, text: str) -> CodeType:
    """The code of an expression; loops under equations are `Matching`'s look-ups."""
    known = {item.name for item in spec.sets} | {item.name for item in spec.parameters}
    known |= {item.name for item in spec.groups}
    tree = ast.parse(text, mode="eval")
    return compile(ast.fix_missing_locations(_Match(known).visit(tree)), "<rule>", "eval")


class _Match(ast.NodeTransformer):
    def __init__(self, known: set[str]) -> None:
        self.known = known

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        """Turn all tests that equate something of a loop's element to something else."""
        self.generic_visit(node)
        over, letters = node.iter, names(node.target)
        if not (isinstance(over, ast.Name) and over.id in self.known):
            return node
        flat = [part for test in node.ifs for part in conjuncts(test)]
        mine, asked, rest = equated(letters, self.known, flat)
        if mine:
            key = ast.Tuple(mine, ast.Load())
            given = ast.arguments([], [ast.arg(name) for name in letters], None, [], [], None, [])
            label = ast.Constant(f"{','.join(letters)}: {ast.unparse(key)}")
            called = ast.Name("matching", ast.Load())
            value = ast.Tuple(asked, ast.Load())
            node.iter = ast.Call(called, [over, label, ast.Lambda(given, key), value], [])
            node.ifs = rest
        return node


def equated(
    letters: Sequence[str], known: AbstractSet[str], tests: Iterable[ast.expr]
) -> tuple[list[ast.expr], list[ast.expr], list[ast.expr]]:
    """The equations of something of an element to something else as keys and values; the rest.

    `letters` are the names of the element's parts, `known` what stands outside all loops.
    """
    own = set(letters)
    mine: list[ast.expr] = []
    asked: list[ast.expr] = []
    rest: list[ast.expr] = []
    for test in tests:
        match test:
            case ast.Compare(left, [ast.Eq()], [right]):
                pairs = [(left, right), (right, left)]
            case _:
                pairs = []
        for a, b in pairs:
            of = names_in(a)
            if of & own and of <= own | known and not names_in(b) & own:
                mine.append(a)
                asked.append(b)
                break
        else:
            rest.append(test)
    return mine, asked, rest


def conjuncts(test: ast.expr) -> list[ast.expr]:
    """What holds together, one by one."""
    match test:
        case ast.BoolOp(ast.And(), values):
            return values
    return [test]


def names_in(tree: ast.expr) -> set[str]:
    """Every name in a tree."""
    return {part.id for part in ast.walk(tree) if isinstance(part, ast.Name)}


Number = int | float


@dataclass(frozen=True)
class Row:
    """`low` <= `terms` (column to coefficient) <= `high`."""

    terms: dict[int, float]
    low: float
    high: float


class Linear:
    """Coefficients by column number, and a constant."""

    __slots__ = ("constant", "terms")

    def __init__(self, terms: dict[int, float] | None = None, constant: float = 0.0) -> None:
        self.terms = terms if terms is not None else {}
        self.constant = constant

    def add(self, other: Union["Linear", Number], scale: float = 1.0) -> None:
        """Add `scale` times another expression in place."""
        if isinstance(other, Linear):
            for column, value in other.terms.items():
                self.terms[column] = self.terms.get(column, 0.0) + scale * value
            self.constant += scale * other.constant
        else:
            self.constant += scale * other

    def _plus(self, other: Union["Linear", Number], scale: float) -> "Linear":
        found = Linear(dict(self.terms), self.constant)
        found.add(other, scale)
        return found

    def __add__(self, other: Union["Linear", Number]) -> "Linear":
        return self._plus(other, 1.0)

    __radd__ = __add__

    def __sub__(self, other: Union["Linear", Number]) -> "Linear":
        return self._plus(other, -1.0)

    def __rsub__(self, other: Number) -> "Linear":
        return (self * -1)._plus(other, 1.0)

    def __neg__(self) -> "Linear":
        return self * -1

    def __mul__(self, scale: Number) -> "Linear":
        if not isinstance(scale, int | float):
            return NotImplemented
        terms = {column: value * scale for column, value in self.terms.items()}
        return Linear(terms, self.constant * scale)

    __rmul__ = __mul__


def row(left: Linear | Number, sense: str, right: Linear | Number, span: float = math.nan) -> Row:
    """The row `left` `sense` `right`; `span` sets its second side as the range of an MPS file."""
    if isinstance(right, Linear) and not isinstance(left, Linear):
        left, right = right, left
        sense = {"<=": ">=", ">=": "<="}.get(sense, sense)
    found = (left if isinstance(left, Linear) else Linear(constant=left)) - right
    terms = {column: value for column, value in found.terms.items() if value}
    # Minus zero would be another number in a file.
    rhs = 0.0 - found.constant
    low, high = (-math.inf if sense in ("<=", "free") else rhs,
                 math.inf if sense in (">=", "free") else rhs)  # fmt: skip
    if sense == ">=" or (sense == "=" and span > 0):
        high = high if math.isnan(span) else rhs + abs(span)
    elif sense == "<=" or (sense == "=" and span < 0):
        low = low if math.isnan(span) else rhs - abs(span)
    return Row(terms, low, high)


def total(parts: Iterable[Linear | Number]) -> Linear | Number:
    """The sum; a number where no part is an expression."""
    found, constant, linear = Linear(), 0.0, False
    number: Number = 0
    for part in parts:
        if isinstance(part, Linear):
            found.add(part)
            linear = True
        else:
            number += part
            constant += part
    if not linear:
        return number
    found.constant += constant
    return found
