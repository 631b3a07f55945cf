"""A family of rows stated in one line, such as a person writes it, and read as an algebra.

`x[i] + x[j] <= 1 for i in range(9) for j in range(i + 1, 9) if hamming(i, j) <= 2`: a comparison
with its loops and conditions, in Python's words. Only what is listed here is understood, nothing is
executed. `_` is any number: a coefficient or a side that is not stated.
"""

import ast
import math
import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from ordojo.core.errors import UsageError
from ordojo.formulation.algebra import Linear

STEPS = 5_000_000
"""Operations of one statement, some seconds; a wrong loop must not run for ever."""
LONGEST = 2_000
"""Characters of a statement."""
ANY = math.nan

Env = dict[str, Any]


@dataclass(frozen=True)
class StatedRow:
    """One row of a statement: coefficients (NaN: any), sense and side (NaN: any)."""

    terms: tuple[tuple[int, float], ...]
    sense: str
    side: float


def lcs(one: str, other: str) -> int:
    """The length of the longest common subsequence."""
    row = [0] * (len(other) + 1)
    for a in one:
        before = 0
        for k, b in enumerate(other, 1):
            before, row[k] = row[k], before + 1 if a == b else max(row[k], row[k - 1])
    return row[-1]


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "min": min,
    "max": max,
    "int": int,
    "len": len,
    "range": range,
    "bits": lambda number, width: format(int(number), f"0{min(int(width), 64)}b"),
    "hamming": lambda a, b: (int(a) ^ int(b)).bit_count(),
    "lcs": lcs,
    "reverse": lambda text: text[::-1],
}
"""What a statement may call: `bits(5, 4)` is "0101"; `hamming` counts the bits that differ."""
_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Mod: operator.mod,
    ast.FloorDiv: operator.floordiv, ast.Div: operator.truediv, ast.BitXor: operator.xor,
    ast.BitAnd: operator.and_, ast.BitOr: operator.or_,
}  # fmt: skip
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}  # fmt: skip
_SENSES = {ast.LtE: "<=", ast.GtE: ">=", ast.Eq: "="}


class Statement:
    """Reads statements over groups: by name the columns of each, by index."""

    def __init__(self, groups: Mapping[str, Mapping[tuple[Any, ...], int]]) -> None:
        self.groups = groups
        self._steps = 0

    def rows(self, text: str) -> Iterator[StatedRow]:
        """The rows that a statement says; raises UsageError for what is none, or loops too long."""
        tree = _parsed(f"({text})")
        loops = tree.generators if isinstance(tree, ast.GeneratorExp) else []
        rule = tree.elt if isinstance(tree, ast.GeneratorExp) else tree
        if not isinstance(rule, ast.Compare) or len(rule.ops) != 1:
            raise UsageError(f"'{text[:80]}' says no row; write 'x[i] + x[j] <= 1 for i in ...'")
        sense = _SENSES.get(type(rule.ops[0]))
        if sense is None:
            raise UsageError("a row is said by <=, >= or ==")
        for env in self._loops(loops, {}):
            left, right = (self._linear(self._value(side, env)) for side in
                           (rule.left, rule.comparators[0]))  # fmt: skip
            row = left - right
            terms = tuple(sorted((c, v) for c, v in row.terms.items() if v != 0))
            yield StatedRow(terms, sense, -row.constant + 0.0)

    def mapping(self, text: str, group: str) -> dict[int, int]:
        """Where `i, j -> j, i` sends a group's columns; UsageError where that is no column."""
        head, arrow, tail = text.partition("->")
        names = [name.strip() for name in head.split(",")]
        if not arrow or not all(name.isidentifier() for name in names):
            raise UsageError(f"'{text[:80]}' is no map; write 'i -> 9 - i' or 'i, j -> j, i'")
        tree = _parsed(f"({tail.strip()},)" if len(names) == 1 else f"({tail})")
        sent, columns = {}, self.groups[group]
        for index, column in columns.items():
            if len(index) != len(names):
                raise UsageError(f"{group} has {len(index)} indices, the map {len(names)}")
            image = self._value(tree, dict(zip(names, index, strict=True)))
            if image not in columns:
                raise UsageError(f"{index} is sent to {image}, which is no index of {group}")
            sent[column] = columns[image]
        if len({*sent.values()}) < len(sent):
            raise UsageError("two indices are sent to the same one")
        return sent

    def _loops(self, loops: list[ast.comprehension], env: Env) -> Iterator[Env]:
        if not loops:
            yield env
            return
        first, rest = loops[0], loops[1:]
        over = self._value(first.iter, env)
        if isinstance(over, str) and over in self.groups:
            over = [key[0] if len(key) == 1 else key for key in self.groups[over]]
        if not isinstance(over, range | list | tuple):
            raise UsageError(f"{ast.unparse(first.iter)} is nothing to loop over")
        for item in over:
            self._count()
            inner = env | _bound(first.target, item)
            if all(self._value(test, inner) for test in first.ifs):
                yield from self._loops(rest, inner)

    def _count(self) -> None:
        self._steps += 1
        if self._steps > STEPS:
            raise UsageError(f"more than {STEPS:,} steps; state less, or loop over less")

    def _linear(self, value: Any) -> Linear:
        if isinstance(value, Linear):
            return value
        if isinstance(value, int | float):
            return Linear(constant=float(value))
        raise UsageError(f"{value!r} is no number and no variable")

    def _value(self, node: ast.expr, env: Env) -> Any:
        self._count()
        try:
            return self._read(node, env)
        except (TypeError, ValueError, ZeroDivisionError, OverflowError, IndexError) as error:
            raise UsageError(f"{ast.unparse(node)} cannot be worked out: {error}") from None

    def _read(self, node: ast.expr, env: Env) -> Any:
        match node:
            case ast.Constant(value=int() | float() | str() as value):
                return value
            case ast.Name(id="_"):
                return ANY
            case ast.Name(id=name) if name in env:
                return env[name]
            case ast.Name(id=name) if name in self.groups:
                columns = self.groups[name]
                return Linear({columns[()]: 1.0}) if () in columns else name
            case ast.Tuple(elts=parts):
                return tuple(self._value(part, env) for part in parts)
            case ast.Subscript(value=ast.Name(id=name), slice=at) if name in self.groups:
                key = self._value(at, env)
                index = key if isinstance(key, tuple) else (key,)
                if index not in self.groups[name]:
                    raise UsageError(f"there is no {name}[{', '.join(map(str, index))}]")
                return Linear({self.groups[name][index]: 1.0})
            case ast.Subscript(value=value, slice=at):
                return self._value(value, env)[self._value(at, env)]
            case ast.UnaryOp(op=ast.USub(), operand=one):
                return -self._value(one, env)
            case ast.UnaryOp(op=ast.Not(), operand=one):
                return not self._value(one, env)
            case ast.BoolOp(op=op, values=tests):
                found = (bool(self._value(test, env)) for test in tests)
                return all(found) if isinstance(op, ast.And) else any(found)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
                return self._combined(op, self._value(left, env), self._value(right, env))
            case ast.Compare(left=left, ops=ops, comparators=others):
                sides = [self._value(one, env) for one in (left, *others)]
                return all(
                    _COMPARE[type(op)](a, b)
                    for op, a, b in zip(ops, sides[:-1], sides[1:], strict=True)
                )
            case ast.Call(func=ast.Name(id="sum"), args=[ast.GeneratorExp() as part]):
                return self._sum(part, env)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in FUNCTIONS:
                return FUNCTIONS[name](*(self._value(one, env) for one in args))
        raise UsageError(f"'{ast.unparse(node)[:80]}' is not understood here")

    def _sum(self, part: ast.GeneratorExp, env: Env) -> Linear:
        found = Linear()
        for inner in self._loops(part.generators, env):
            found.add(self._value(part.elt, inner))
        return found

    def _combined(self, op: ast.operator, left: Any, right: Any) -> Any:
        if not all(isinstance(one, int | float | Linear) for one in (left, right)):
            raise UsageError("only numbers and variables are added and multiplied")
        return _BINARY[type(op)](left, right)  # a text would be repeated without end


def _parsed(text: str) -> ast.expr:
    if len(text) > LONGEST:
        raise UsageError(f"a statement has at most {LONGEST} characters")
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UsageError(f"'{text[:80]}' cannot be read ({error}); correct it") from None


def _bound(target: ast.expr, item: Any) -> Env:
    """The names of a loop with one element of what it runs over."""
    if isinstance(target, ast.Name):
        return {target.id: item}
    fits = isinstance(item, tuple) and isinstance(target, ast.Tuple)
    if isinstance(target, ast.Tuple) and fits and len(target.elts) == len(item):
        pairs = zip(target.elts, item, strict=True)
        return dict(chain.from_iterable(_bound(one, it).items() for one, it in pairs))
    raise UsageError(f"'{ast.unparse(target)}' does not fit {item!r}")
