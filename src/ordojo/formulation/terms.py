"""The terms of a rule: a factor times a variable, summed over loops, where some tests hold.

For a reader an equation that looks an index up becomes that index: `sum(x[t, j] for (t_, j) in x if
t_ == t)` reads `sum(x[t, j] for (t, j) in x)`, where the target's `t` is loaded and not stored, as
it is known: the sum is over `j` alone. A loop over a group is one over what the group is declared
on: what that asks of letters that are known is a test, unless the rule's own scope says it.
"""

import ast
from collections.abc import Container, Iterable, Iterator, Mapping, Set
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import lru_cache

from ordojo.formulation.algebra import conjuncts, indices, names, names_in, parse, relation
from ordojo.formulation.spec import Spec


@dataclass(frozen=True)
class Sum:
    """The sum of `body` over `loops` (none: it is the body alone) under `tests`."""

    body: ast.expr
    loops: list[ast.comprehension]
    tests: list[ast.expr]


def memberships(spec: Spec, loops: Iterable[ast.comprehension]) -> set[str]:
    """What loops say of their letters: `(i, j) in IJ`, and so `i in I` where I is a part of IJ.

    And so that they are in every set that such a one is within.
    """
    found: set[str] = set()
    within = {one.name: one.within for one in spec.sets}
    parts = {one.name: one.parts or (one.within,) for one in spec.sets}
    for loop in loops:
        found.add(ast.unparse(_member(loop)))
        letters, owners = elements(loop.target), parts.get(ast.unparse(loop.iter), ())
        for letter, owner in (
            zip(letters, owners, strict=True) if len(owners) == len(letters) else ()
        ):
            while owner:
                found.add(f"{ast.unparse(letter)} in {owner}")
                owner = within[owner]
    return found


def lettered(spec: Spec, tree: ast.GeneratorExp, known: Set[str] = frozenset()) -> Sum:
    """The same sum without such equations; `known` are memberships that need no test."""
    tree = deepcopy(tree)
    tests = [part for loop in tree.generators for test in loop.ifs for part in conjuncts(test)]
    for loop in reversed(tree.generators):
        for letter in names(loop.target):
            for test in tests:
                said = _said_of(letter, test)
                if said and not names_in(said) & set(stored(loop.target)):
                    value = {letter: said}
                    tests = [put(one, value) for one in tests if one is not test]
                    tree.elt = put(tree.elt, value)
                    loop.target = put(loop.target, value)
                    break
    groups = {group.name: group for group in spec.groups}
    # Whether a variable is there is asked of what its group is declared on.
    asked = [test for test in tests if is_existence(test, groups)]
    tests = [test for test in tests if test not in asked]
    loops = tree.generators + [
        ast.comprehension(test.left, test.comparators[0], [], 0)
        for test in asked if isinstance(test, ast.Compare)
    ]  # fmt: skip
    loops = _without_ranges(loops, tests)
    found: list[ast.comprehension] = []
    for loop in loops:
        group = groups.get(ast.unparse(loop.iter))
        if group is None:
            found.append(loop)
            continue
        own = dict(zip(indices(group.scope), elements(loop.target), strict=True))
        for one in comprehensions(group.scope):
            tests += [put(deepcopy(test), own) for test in one.ifs]
            target = put(deepcopy(one.target), own)
            found.append(ast.comprehension(target, one.iter, [], 0))
    # What is asked of no letter is so for every term, or the rule would not have it.
    tests += [_member(one) for one in found if not stored(one.target) and names_in(one.target)]
    found = [loop for loop in found if stored(loop.target)]
    told = known | memberships(spec, found)
    left = {text: test for test in tests if (text := ast.unparse(test)) not in told}
    return Sum(tree.elt, found, list(left.values()))


def _member(loop: ast.comprehension) -> ast.Compare:
    return ast.Compare(loop.target, [ast.In()], [loop.iter])


def comprehensions(scope: str) -> list[ast.comprehension]:
    """The loops of a scope as trees, outermost first."""
    if not scope:
        return []
    tree = parse(f"[0 {scope}]")
    assert isinstance(tree, ast.ListComp)
    return tree.generators


def elements(target: ast.expr) -> list[ast.expr]:
    """The parts of a tuple, or the one thing that is none."""
    return target.elts if isinstance(target, ast.Tuple) else [target]


def stored(target: ast.expr) -> list[str]:
    """The letters that a loop binds."""
    parts = elements(target)
    return [one.id for one in parts if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]


def is_existence(test: ast.expr, groups: Mapping[str, object]) -> bool:
    """Whether a test asks only if a group has a variable."""
    match test:
        case ast.Compare(_, [ast.In()], [ast.Name(name)]):
            return name in groups
    return False


def _said_of(letter: str, test: ast.expr) -> ast.expr | None:
    match test:
        case ast.Compare(ast.Name(name), [ast.Eq()], [value]) if name == letter:
            return value
        case ast.Compare(value, [ast.Eq()], [ast.Name(name)]) if name == letter:
            return value
    return None


def put(tree: ast.expr, known: Mapping[str, ast.expr]) -> ast.expr:
    """A tree, changed, in which names stand for trees."""
    changed: ast.expr = _Put(known).visit(tree)
    return changed


class _Put(ast.NodeTransformer):
    def __init__(self, known: Mapping[str, ast.expr]) -> None:
        self.known = known

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """A copy, as what is put in may be changed again."""
        return deepcopy(self.known.get(node.id, node))


def _without_ranges(
    loops: list[ast.comprehension], tests: list[ast.expr]
) -> list[ast.comprehension]:
    """Ranges as bounds, added to the tests, where another loop has their letter too."""
    found = []
    for loop in loops:
        again = [one for other in loops if other is not loop for one in elements(other.target)
                 if isinstance(one, ast.Name) and [one.id] == stored(loop.target)]  # fmt: skip
        match loop.iter:
            case ast.Call(ast.Name("range"), [low, ast.BinOp(high, ast.Add())]) if again:
                again[0].ctx = ast.Store()
                ends: list[ast.expr] = [ast.Name(again[0].id, ast.Load()), high]
                tests.append(ast.Compare(low, [ast.LtE(), ast.LtE()], ends))
            case _:
                found.append(loop)
    return found


@dataclass(frozen=True)
class Summand:
    """`factor` (none: one) times `variable`, subtracted if `minus`; without `loops` no sum.

    Of a term of numbers alone the `variable` is the constant 1.
    """

    minus: bool
    factor: ast.expr | None
    variable: ast.expr
    loops: list[ast.comprehension]
    tests: list[ast.expr]

    @property
    def group(self) -> str:
        """The name of the variable's group, "" where there is none."""
        one = self.variable
        return (
            ""
            if isinstance(one, ast.Constant)
            else ast.unparse(one.value if isinstance(one, ast.Subscript) else one)
        )

    @property
    def at(self) -> list[ast.expr]:
        """The index expressions of the variable."""
        return elements(self.variable.slice) if isinstance(self.variable, ast.Subscript) else []

    def times(self, factor: ast.expr) -> "Summand":
        """The term with one more factor."""
        whole = factor if self.factor is None else ast.BinOp(factor, ast.Mult(), self.factor)
        return replace(self, factor=whole)


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

    Their sums run over letters, as `lettered` has them.
    """
    match parse(relation(text)):
        case ast.Call(ast.Name("row"), [tree, *_]) | tree:
            parts = [one for one in summands(tree) if not isinstance(one[1], ast.Constant)]
    known = memberships(spec, comprehensions(scope))
    return tuple(read_term(spec, *one, known) for one in parts)


def read_term(spec: Spec, minus: bool, tree: ast.expr, known: Set[str] = frozenset()) -> Summand:
    """A summand as a reader has it: its sum over letters, as `lettered` has them."""
    match tree:
        case ast.Call(ast.Name("sum"), [ast.GeneratorExp() as inner]):
            told = lettered(spec, inner, known)
            return _factored(minus, told.body, told.loops, told.tests)
    return term(minus, tree)


def expanded(groups: Container[str], tree: ast.expr, minus: bool = False) -> Iterator[Summand]:
    """The terms of an expression multiplied out, each with one variable of the groups or none."""
    match tree:
        case ast.BinOp(left, ast.Add() | ast.Sub() as sign, right):
            yield from expanded(groups, left, minus)
            yield from expanded(groups, right, minus ^ isinstance(sign, ast.Sub))
        case ast.UnaryOp(ast.USub(), part):
            yield from expanded(groups, part, not minus)
        case ast.BinOp(ast.UnaryOp(ast.USub(), left), ast.Mult(), right):
            yield from expanded(groups, ast.BinOp(left, ast.Mult(), right), not minus)
        case ast.BinOp(left, ast.Mult(), right):
            for factor, other in ((left, right), (right, left)):
                many = [*expanded(groups, other, minus)]
                if any(one.group for one in many):
                    yield from (one.times(factor) for one in many)
                    return
            yield Summand(minus, tree, ast.Constant(1), [], [])
        case ast.Call(ast.Name("sum"), [ast.GeneratorExp(body, loops)]):
            tests = [part for loop in loops for test in loop.ifs for part in conjuncts(test)]
            for one in expanded(groups, body, minus):
                yield replace(one, loops=[*loops, *one.loops], tests=[*tests, *one.tests])
        case ast.IfExp(test, part, ast.Constant(0)):
            for one in expanded(groups, part, minus):
                yield replace(one, tests=[*conjuncts(test), *one.tests])
        case ast.Name(name) | ast.Subscript(ast.Name(name)) if name in groups:
            yield Summand(minus, None, tree, [], [])
        case _:
            yield Summand(minus, tree, ast.Constant(1), [], [])


def _factored(
    minus: bool, body: ast.expr, loops: list[ast.comprehension], tests: list[ast.expr]
) -> Summand:
    match body:
        case ast.BinOp(factor, ast.Mult(), variable) | ast.Compare(variable, _, [factor]):
            return Summand(minus, factor, variable, loops, tests)
    return Summand(minus, None, body, loops, tests)


def numbers(parts: Iterable[Summand]) -> ast.expr:
    """The sum of the terms without a variable."""
    whole: ast.expr | None = None
    for one in parts:
        tree = one.factor
        if one.group or tree is None or (isinstance(tree, ast.Constant) and tree.value == 0):
            continue
        if one.loops:
            tree = ast.Call(ast.Name("sum"), [ast.GeneratorExp(tree, one.loops)], [])
        elif one.tests:
            tree = ast.IfExp(ast.BoolOp(ast.And(), one.tests), tree, ast.Constant(0))
        if whole is None:
            whole = ast.UnaryOp(ast.USub(), tree) if one.minus else tree
        else:
            whole = ast.BinOp(whole, ast.Sub() if one.minus else ast.Add(), tree)
    return ast.Constant(0) if whole is None else whole
