"""The terms of a rule: a factor times a variable, summed over loops, where some tests hold."""

import ast
from collections.abc import Iterator, Set
from dataclasses import dataclass
from functools import lru_cache

from ordojo.formulation.algebra import conjuncts, parse, relation
from ordojo.formulation.letters import comprehensions, elements, lettered, memberships
from ordojo.formulation.spec import Spec


@dataclass(frozen=True)
class Summand:
    """`factor` (none: one) times `variable`, subtracted if `minus`; without `loops` no sum."""

    minus: bool
    factor: ast.expr | None
    variable: ast.expr
    loops: list[ast.comprehension]
    tests: list[ast.expr]

    @property
    def group(self) -> str:
        """The name of the variable's group."""
        one = self.variable
        return ast.unparse(one.value if isinstance(one, ast.Subscript) else one)

    @property
    def at(self) -> list[ast.expr]:
        """The index expressions of the variable."""
        return elements(self.variable.slice) if isinstance(self.variable, ast.Subscript) else []


def sides(rule: str) -> list[ast.expr]:
    """Left side, sense, right side and perhaps the span of a rule."""
    tree = parse(relation(rule))
    assert isinstance(tree, ast.Call)
    return tree.args


def summands(tree: ast.expr, minus: bool = False) -> Iterator[tuple[bool, ast.expr]]:
    """The parts of a sum, and whether each is subtracted."""
    match tree:
        case ast.BinOp(left, ast.Add() | ast.Sub() as sign, right):
            yield from summands(left, minus)
            yield from summands(right, minus ^ isinstance(sign, ast.Sub))
        case ast.UnaryOp(ast.USub(), part):
            yield from summands(part, not minus)
        case ast.BinOp(ast.UnaryOp(ast.USub(), left), ast.Mult(), right):
            yield not minus, ast.BinOp(left, ast.Mult(), right)
        case _:
            yield minus, tree


def term(minus: bool, tree: ast.expr) -> Summand:
    """A summand as a term."""
    loops: list[ast.comprehension] = []
    tests: list[ast.expr] = []
    match tree:
        case ast.Call(ast.Name("sum"), [ast.GeneratorExp(tree, loops)]):
            tests = [part for one in loops for test in one.ifs for part in conjuncts(test)]
        case ast.IfExp(test, tree):
            tests = conjuncts(test)
    return _factored(minus, tree, loops, tests)


@lru_cache(maxsize=4096)
def read_terms(spec: Spec, text: str, scope: str = "") -> tuple[Summand, ...]:
    """The terms of an expression, or of the left side of a rule for a scope, as a reader has them.

    Their sums run over letters, as `letters.lettered` has them.
    """
    match parse(relation(text)):
        case ast.Call(ast.Name("row"), [tree, *_]) | tree:
            parts = [one for one in summands(tree) if not isinstance(one[1], ast.Constant)]
    known = memberships(spec, comprehensions(scope))
    return tuple(read_term(spec, *one, known) for one in parts)


def read_term(spec: Spec, minus: bool, tree: ast.expr, known: Set[str] = frozenset()) -> Summand:
    """A summand as a reader has it: its sum over letters, as `letters.lettered` has them."""
    match tree:
        case ast.Call(ast.Name("sum"), [ast.GeneratorExp() as inner]):
            told = lettered(spec, inner, known)
            return _factored(minus, told.body, told.loops, told.tests)
    return term(minus, tree)


def _factored(
    minus: bool, body: ast.expr, loops: list[ast.comprehension], tests: list[ast.expr]
) -> Summand:
    match body:
        case ast.BinOp(factor, ast.Mult(), variable) | ast.Compare(variable, _, [factor]):
            return Summand(minus, factor, variable, loops, tests)
    return Summand(minus, None, body, loops, tests)
