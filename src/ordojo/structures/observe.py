"""Interactive observation (paper 003, figure 15): slices asked for, a hypothesis stated, checked.

Who observes, a person, a language model or a script, sends one line a turn and gets a text back: an
overview, a slice of rows or columns, whether a map of indices leaves a family as it is, and whether
a statement says exactly its rows. The model's own names are not needed.

A statement is one line such as a person writes it, read as an algebra: `x[i] + x[j] <= 1 for i in
range(9) for j in range(i + 1, 9) if hamming(i, j) <= 2`, a comparison with its loops and conditions
in Python's words. Only what is listed here is understood, nothing is executed. `_` is any number: a
coefficient or a side that is not stated.
"""

import ast
import math
import operator
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple

from ordojo.core.errors import UsageError
from ordojo.core.words import amount
from ordojo.formulation.algebra import Linear, called, indices
from ordojo.formulation.spec import Family, Group
from ordojo.structures.abstraction import Abstraction, abstract
from ordojo.structures.flat import Flat
from ordojo.structures.formulation import formulate
from ordojo.structures.inspection.layout import ModelLayout

STEPS = 5_000_000
"""Operations of one statement, some seconds; a wrong loop must not run for ever."""
LONGEST = 2_000
"""Characters of a statement."""
DIGITS = 12
"""Significant ones in which a stated number must agree."""

Env = dict[str, Any]


class StatedRow(NamedTuple):
    """One row of a statement: coefficients (NaN: any), sense and side (NaN: any)."""

    terms: tuple[tuple[int, float], ...]
    sense: str
    side: float

    @property
    def normal(self) -> "StatedRow":
        """With a first coefficient above zero, and numbers to so many digits."""
        turn = bool(self.terms) and self.terms[0][1] < 0
        sign = -1.0 if turn else 1.0
        sense = {"<=": ">=", ">=": "<="}.get(self.sense, self.sense) if turn else self.sense
        terms = tuple((column, _rounded(sign * value)) for column, value in self.terms)
        return StatedRow(terms, sense, _rounded(sign * self.side))

    def without(self, numbers: bool, side: bool) -> "StatedRow":
        """Without the numbers that a statement leaves open."""
        sense, terms = self.sense, self.terms
        if numbers:
            # The sign that a row has been brought to hangs on the numbers left out.
            sense = "=" if sense == "=" else "<=>"
            terms = tuple((column, 0.0) for column, _ in terms)
        return StatedRow(terms, sense, 0.0 if numbers or side else self.side)


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}") + 0.0 if math.isfinite(value) else value


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
                many = amount(len(index), "index", "indices")
                raise UsageError(f"{group} has {many}, the map {len(names)}")
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
                return math.nan
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
                both = self._value(left, env), self._value(right, env)
                if not all(isinstance(one, int | float | Linear) for one in both):
                    raise UsageError("only numbers and variables are added and multiplied")
                return _BINARY[type(op)](*both)  # a text would be repeated without end
            case ast.Compare(left=left, ops=ops, comparators=others):
                sides = [self._value(one, env) for one in (left, *others)]
                return all(
                    _COMPARE[type(op)](a, b)
                    for op, a, b in zip(ops, sides[:-1], sides[1:], strict=True)
                )
            case ast.Call(func=ast.Name(id="sum"), args=[ast.GeneratorExp() as part]):
                total = Linear()
                for inner in self._loops(part.generators, env):
                    total.add(self._value(part.elt, inner))
                return total
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in FUNCTIONS:
                return FUNCTIONS[name](*(self._value(one, env) for one in args))
        raise UsageError(f"'{ast.unparse(node)[:80]}' is not understood here")


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


SLICE = 40
"""Rows or columns shown in one turn."""

HELP = """Send one line a turn:
  look                               the groups of variables and families of rows
  rows FAMILY [FIRST LAST]           rows as they stand, counted from 1
  columns GROUP [FIRST LAST]         variables with bounds, type and cost
  symmetry FAMILY GROUP: i -> 9 - i  whether a map of a group's indices leaves the rows as they are
  state FAMILY: x[i] + x[j] <= 1 for i in range(8) for j in range(i + 1, 8) if hamming(i, j) <= 2
                                     whether a statement says exactly these rows; `_`: any number
  done                               end
A statement may loop over ranges and groups (`for (i, j) in x`), sum, and call abs, min, max, len,
bits(number, width), hamming, lcs (longest common subsequence) and reverse."""

Policy = Callable[[str], str]
"""What observes: a text in, the next line out."""


@dataclass
class Observer:
    """One model under observation; `stated` keeps the exact statement of each family."""

    flat: Flat
    found: Abstraction | None = None
    stated: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        found = self.found or abstract(self.flat)
        self._formulation = f = formulate(self.flat, found)
        self._layout = ModelLayout.of(self.flat, found)
        self.families = {one.name: f.units[one.name].items for one in f.spec.families}
        self._groups = {
            one.name: dict(zip(f.keys(one.name), f.units[one.name].items.tolist(), strict=True))
            for one in f.spec.groups
        }

    def ask(self, line: str) -> str:
        """The answer to one line; a line that is not understood gets a sentence, never an error."""
        word, _, rest = line.strip().partition(" ")
        try:
            match word.lower():
                case "look":
                    return self._look()
                case "rows" | "columns":
                    return self._slice(word.lower(), rest.split())
                case "symmetry":
                    return self._symmetry(*_told(rest))
                case "state":
                    return self._state(*_told(rest))
        except UsageError as error:
            return f"{error}."
        return HELP

    def _look(self) -> str:
        lines = []
        spec, units = self._formulation.spec, self._formulation.units
        for group in spec.groups:
            kind = group.domain if group.domain.isidentifier() else "mixed"
            size = units[group.name].size
            lines.append(f"group {_indexed(group)}: {size} {kind} variables")
        for family in spec.families:
            known = f"; stated: {self.stated[family.name]}" if family.name in self.stated else ""
            lines.append(
                f"family {_indexed(family)}: {amount(units[family.name].size, 'row')}{known}"
            )
        direction = "maximize" if self.flat.maximize else "minimize"
        return "\n".join([*lines, f"objective: {direction}"])

    def _slice(self, what: str, words: list[str]) -> str:
        if len(words) not in (1, 3) or not all(word.isdecimal() for word in words[1:]):
            raise UsageError(f"write '{what} NAME' or '{what} NAME FIRST LAST'")
        if what == "rows":
            items = self._of("family", words[0]).tolist()
        else:
            items = [*self._of("group", words[0]).values()]
        first, last = (int(word) for word in words[1:]) if len(words) == 3 else (1, SLICE)
        chosen = items[first - 1 : min(last, first + SLICE - 1)]
        if first < 1 or not chosen:
            raise UsageError(f"{words[0]} has {what} 1 to {len(items)}")
        show = self._row if what == "rows" else self._column
        end = f"{first} to {first + len(chosen) - 1} of {len(items)}"
        return "\n".join([*(show(item) for item in chosen), f"({end})"])

    def _row(self, i: int) -> str:
        return self._layout.row_text(i, self._names.__getitem__).partition(": ")[2]

    @cached_property
    def _names(self) -> dict[int, str]:
        return {
            column: called(name, tuple(map(str, index)))
            for name, columns in self._groups.items()
            for index, column in columns.items()
        }

    def _column(self, j: int) -> str:
        kind = ("continuous", "integer", "binary", "semicontinuous", "semiinteger")
        model, flat = self._layout.model, self.flat
        return (
            f"{self._names[j]} {kind[int(model.types[j])]} in [{flat.lower[j]:g}, "
            f"{flat.upper[j]:g}], objective {flat.objective[j]:g}"
        )

    def _symmetry(self, names: list[str], text: str) -> str:
        if len(names) != 2:
            raise UsageError("write 'symmetry FAMILY GROUP: i -> ...'")
        rows, group = self._of("family", names[0]).tolist(), names[1]
        self._of("group", group)
        sent = Statement(self._groups).mapping(text, group)
        own = Counter(self._key(i) for i in rows)
        image = Counter(self._key(i, sent) for i in rows)
        if own == image:
            return f"yes: the map leaves the {len(rows)} rows of {names[0]} as they are"
        lost = next(i for i in rows if own[self._key(i, sent)] < image[self._key(i, sent)])
        kept = sum((own & image).values())
        return f"no: {kept} of {len(rows)} rows go to rows of {names[0]}; not {self._row(lost)}"

    def _state(self, names: list[str], text: str) -> str:
        if len(names) != 1:
            raise UsageError("write 'state FAMILY: ...'")
        rows = self._of("family", names[0])
        stated = list(Statement(self._groups).rows(text))
        loose = (
            any(math.isnan(v) for row in stated for _, v in row.terms),
            any(math.isnan(row.side) for row in stated),
        )
        own = {int(i): self._key(int(i)).without(*loose) for i in rows}
        said = [row.normal.without(*loose) for row in stated]
        count, want = Counter(own.values()), Counter(said)
        equal = sum((count & want).values())
        if count == want:
            self.stated[names[0]] = text
            any_number = " (but for the numbers that it leaves open)" if any(loose) else ""
            return f"exact: the statement says the {len(rows)} rows of {names[0]}{any_number}"
        lines = [f"not exact: {equal} of {len(rows)} rows are said, {len(said)} are stated"]
        missing = next((i for i, key in own.items() if count[key] > want[key]), None)
        if missing is not None:
            lines.append(f"  not said: {self._row(missing)}")
        extra = next((k for k, key in enumerate(said) if want[key] > count[key]), None)
        if extra is not None:
            row = stated[extra]
            terms = " + ".join(f"{_number(v)}{self._names[c]}" for c, v in row.terms) or "0"
            side = "_" if math.isnan(row.side) else f"{row.side:g}"
            lines.append(f"  said, but not there: {terms} {row.sense} {side}")
        return "\n".join(lines)

    def _key(self, i: int, sent: Mapping[int, int] = MappingProxyType({})) -> StatedRow:
        """A row's sense, side and terms, the same for a row turned by its sign."""
        index, value = self._layout.model.row(i)
        columns = [sent.get(j, j) for j in index.tolist()]
        low, up = float(self._layout.model.row_lower[i]), float(self._layout.model.row_upper[i])
        sense = (
            "=" if low == up else "<=" if math.isinf(low) else ">=" if math.isinf(up) else "range"
        )
        side = up if math.isfinite(up) else low
        terms = tuple(sorted(zip(columns, value.tolist(), strict=True)))
        return StatedRow(terms, sense, side).normal

    def _of(self, what: str, name: str) -> Any:
        """The rows of a family, or the columns of a group by their indices."""
        known: Mapping[str, Any] = self.families if what == "family" else self._groups
        if name not in known:
            raise UsageError(f"there is no {what} {name}; look lists them")
        return known[name]


def _indexed(one: Group | Family) -> str:
    return called(one.name, indices(one.scope))


def _number(value: float) -> str:
    return "_ " if math.isnan(value) else "" if value == 1 else f"{value:g} "


def _told(rest: str) -> tuple[list[str], str]:
    head, colon, text = rest.partition(":")
    if not colon:
        raise UsageError("a colon is missing between the name and what is said of it")
    return head.split(), text.strip()


def observe(observer: Observer, policy: Policy, turns: int) -> list[tuple[str, str]]:
    """Let a policy ask, at most so many turns or until it says done; the lines and answers."""
    said, kept = f"{HELP}\n\n{observer.ask('look')}", list[tuple[str, str]]()
    for _ in range(turns):
        line = next((one for one in policy(said).strip().splitlines() if one.strip()), "")
        if line.strip().lower() == "done":
            break
        said = observer.ask(line)
        kept.append((line, said))
    return kept
