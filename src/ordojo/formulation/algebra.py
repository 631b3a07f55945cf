"""Reading scopes and rules: loops, the names that they use, and sets looked up by their parts."""

import ast
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType
from typing import Any, Literal, Union

from ordojo.core.errors import GeneratorError
from ordojo.formulation.spec import Spec

FUNCTIONS = ("sum", "range")
"""What an expression may call."""


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
        Loop(
            names(part.target),
            ast.unparse(part.iter),
            tuple(ast.unparse(test) for test in part.ifs),
        )
        for part in tree.generators
    )


def names(target: ast.expr) -> tuple[str, ...]:
    """The index names of a loop's target."""
    parts = target.elts if isinstance(target, ast.Tuple) else [target]
    return tuple(ast.unparse(part) for part in parts)


def indices(scope: str) -> tuple[str, ...]:
    """All index names of a scope, in order."""
    return tuple(name for loop in loops(scope) for name in loop.indices)


def index_sets(scope: str) -> tuple[str, ...]:
    """The sets that a scope loops over, in order."""
    return tuple(loop.over for loop in loops(scope))


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
    """A set's elements, with those that share a part found at once."""

    def __init__(self, elements: list[Any]) -> None:
        super().__init__(elements)
        self.by: dict[int, dict[Any, list[Any]]] = {}


def where(elements: Elements, part: int, value: Any) -> list[Any]:
    """The elements whose part number `part` is `value`, in the set's order."""
    if part not in elements.by:
        found: dict[Any, list[Any]] = {}
        for element in elements:
            found.setdefault(element[part], []).append(element)
        elements.by[part] = found
    return elements.by[part].get(value, [])


def narrowed(spec: Spec, text: str) -> ast.expr:
    """An expression in which `for (i, j) in A if i == n` reads `for (i, j) in where(A, 0, n)`."""
    several = frozenset(item.name for item in spec.sets if len(item.key) > 1)
    tree = ast.parse(ast.unparse(parse(text)), mode="eval")
    changed: ast.Expression = _Narrow(several).visit(tree)
    return ast.fix_missing_locations(changed).body


@lru_cache(maxsize=4096)
def compiled(spec: Spec, text: str) -> CodeType:
    """The code of an expression, narrowed."""
    return compile(ast.Expression(narrowed(spec, text)), "<rule>", "eval")


class _Narrow(ast.NodeTransformer):
    def __init__(self, several: frozenset[str]) -> None:
        self.several = several

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        """Turn the first test `part == value` of a loop over tuples into a look-up."""
        self.generic_visit(node)
        over, own = node.iter, names(node.target)
        if not (isinstance(over, ast.Name) and over.id in self.several):
            return node
        for test in node.ifs:
            match test:
                case ast.Compare(ast.Name(id=name), [ast.Eq()], [value]) if name in own:
                    used = {part.id for part in ast.walk(value) if isinstance(part, ast.Name)}
                    if used & set(own):
                        continue
                    place = ast.Constant(own.index(name))
                    called = ast.Name("where", ast.Load())
                    node.iter = ast.Call(called, [over, place, value], [])
                    node.ifs = [other for other in node.ifs if other is not test]
                    break
        return node


Number = int | float
Sense = Literal["<=", ">=", "=="]


@dataclass(frozen=True)
class Row:
    """`terms` (column to coefficient) `sense` `rhs`."""

    terms: dict[int, float]
    sense: Sense
    rhs: float


class Linear:
    """Coefficients by column number, and a constant."""

    __slots__ = ("constant", "terms")
    __hash__: Any = None  # == makes a row

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

    def _row(self, other: Union["Linear", Number], sense: Sense) -> Row:
        found = self - other
        terms = {column: value for column, value in found.terms.items() if value}
        # Minus zero would be another number in a file.
        return Row(terms, sense, 0.0 - found.constant)

    def __le__(self, other: Union["Linear", Number]) -> Row:
        return self._row(other, "<=")

    def __ge__(self, other: Union["Linear", Number]) -> Row:
        return self._row(other, ">=")

    def __eq__(self, other: object) -> Row:  # type: ignore[override]
        if not isinstance(other, Linear | int | float):
            return NotImplemented
        return self._row(other, "==")


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
