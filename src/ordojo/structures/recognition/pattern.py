"""A declaration as patterns: what entries a row of each family has, by group, sign and indices.

Rules are multiplied out, so that every variable stands in a term of its own; an equation that looks
an index up becomes that index. The objective is a pattern like the others, minimized.
"""

import ast
from collections import Counter
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from ordojo.formulation.algebra import indices, loops, names, names_in, parse, written
from ordojo.formulation.spec import Family, Group, Objective, Spec
from ordojo.formulation.terms import Summand, expanded, numbers, put, sides, stored

OBJECTIVE = ""
"""The name of the objective's pattern; no family has it."""
_FAR = 1_000
"""Where an index is evaluated to read its shift: any number beyond what rules add does."""


@dataclass(frozen=True)
class TermPlace:
    """An index of a variable: a row's index `letter` plus `shift`, or a loop's own letter.

    `free`: the letter is a loop's. `cyclic`: the shift goes round. Without a letter the index is
    the same for all rows: `text`.
    """

    letter: str
    shift: int
    free: bool
    cyclic: bool
    text: str


@dataclass(frozen=True)
class PatternTerm:
    """A term of `formulation.terms.expanded`; its `sign` is 0 where it hangs on the data."""

    group: str
    at: tuple[ast.expr, ...]
    minus: bool
    factor: ast.expr | None
    loops: tuple[ast.comprehension, ...]
    tests: tuple[ast.expr, ...]

    @classmethod
    def of(cls, one: Summand) -> "PatternTerm":
        """A summand as a term of a pattern."""
        parts = tuple(one.at), one.minus, one.factor, tuple(one.loops), tuple(one.tests)
        return cls(one.group, *parts)

    @cached_property
    def sign(self) -> int:
        """The coefficient's sign, where given numbers are positive."""
        return (-1 if self.minus else 1) * (_sign(self.factor) if self.factor else 1)

    @cached_property
    def places(self) -> tuple[TermPlace, ...]:
        """The variable's indices."""
        own = {letter for loop in self.loops for letter in stored(loop.target)}
        said = self.said
        trees = [put(deepcopy(one), said) if names_in(one) & set(said) else one for one in self.at]
        return tuple(_place(one, own) for one in trees)

    @cached_property
    def said(self) -> Mapping[str, ast.expr]:
        """The loops' letters that an equation makes something else."""
        own = {letter for loop in self.loops for letter in stored(loop.target)}
        found: dict[str, ast.expr] = {}
        for test in self.tests:
            match test:
                case ast.Compare(left, [ast.Eq()], [right]):
                    for one, other in ((left, right), (right, left)):
                        fresh = isinstance(one, ast.Name) and one.id in own - set(found)
                        if fresh and not names_in(other) & own:
                            found[ast.unparse(one)] = other
                            break
        return found

    @cached_property
    def over(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """What each loop is over, and its letters."""
        return tuple((written(loop.iter), names(loop.target)) for loop in self.loops)

    @cached_property
    def many(self) -> bool:
        """Whether a row may have several such entries."""
        return any(place.free or len(names_in(parse(place.text))) > 2 for place in self.places)

    @cached_property
    def optional(self) -> bool:
        """Whether a row may be without such an entry."""
        shifted = any(place.shift and not place.cyclic for place in self.places)
        parts = ast.walk(self.factor) if self.factor else ()
        return shifted or self.many or any(isinstance(part, ast.Compare) for part in parts)

    @property
    def known(self) -> bool:
        """Whether the coefficient is the sign alone, counted once."""
        own = {letter for loop in self.loops for letter in stored(loop.target)}
        once = own <= {place.letter for place in self.places} | set(self.said)
        return once and bool(self.sign) and not self.factor

    @cached_property
    def text(self) -> str:
        """The coefficient as an expression."""
        size = f"*({ast.unparse(self.factor)})" if self.factor else ""
        return f"{-1 if self.minus else 1}{size}"


@dataclass(frozen=True)
class RowPattern:
    """A family's rows: `terms` are compared with `right`, both sides' constants joined there.

    `sense` is "<=" or "=", and "min" for the objective; `letters` are the rows' indices. `points`
    has, for each summand of `right`, the letter that must be the element of some data for it to be
    more than nothing, where all letters but this one say which data; else it is empty.
    """

    name: str
    scope: str
    terms: tuple[PatternTerm, ...]
    sense: str
    right: str
    groups: tuple[Group, ...]
    points: tuple[str, ...] = ()

    @cached_property
    def letters(self) -> tuple[str, ...]:
        """The rows' indices."""
        return indices(self.scope)

    @cached_property
    def by_group(self) -> Mapping[tuple[str, int], tuple[PatternTerm, ...]]:
        """The terms that an entry of a group and sign may be."""
        found: dict[tuple[str, int], tuple[PatternTerm, ...]] = {}
        for term in self.terms:
            for sign in (term.sign,) if term.sign else (1, -1):
                key = term.group, sign
                found[key] = (*found.get(key, ()), term)
        return found

    @cached_property
    def pinned(self) -> frozenset[str]:
        """The groups whose coefficients are all 1 or -1: they show how a row is scaled."""
        groups = {term.group for term in self.terms}
        return frozenset(
            group for group in groups if all(t.known for t in self.terms if t.group == group)
        )

    def admits(self, entries: Mapping[tuple[frozenset[str], int], int], turn: int) -> bool:
        """Whether a row may have so many entries of a sign in columns that may be of these groups.

        With a `turn` of -1 the row is turned round.
        """
        room: Counter[frozenset[int]] = Counter()
        met: set[int] = set()
        for (groups, sign), count in entries.items():
            found = [one for g in groups for one in self.by_group.get((g, sign * turn), ())]
            which = frozenset(map(id, found))
            met |= which
            room[which] += 0 if any(one.many for one in found) else count
        if any(count > len(which) for which, count in room.items()) or frozenset() in room:
            return False
        if self.sense == "min":
            return True
        return bool(entries) and all(one.optional or id(one) in met for one in self.terms)

    @cached_property
    def naming(self) -> frozenset[tuple[str, int]]:
        """The groups and signs of which a column names the row that it is in."""
        return frozenset(
            at for at, (term, *more) in self.by_group.items()
            if not more
            and set(self.letters) <= {place.letter for place in term.places if not place.free}
        )  # fmt: skip

    @cached_property
    def total(self) -> frozenset[str]:
        """The groups of which every column has an entry in some row."""
        scopes = {group.name: group.scope for group in self.groups}
        return frozenset(
            one.group for one in self.terms if one.known and self._reached(one, scopes[one.group])
        )

    def _reached(self, term: PatternTerm, scope: str) -> bool:
        if any(loop.conditions for loop in loops(self.scope)):
            return False
        over, mine = _sets(self.scope), _sets(scope)
        summed = {x: ast.unparse(one.iter) for one in term.loops for x in names(one.target)}
        return all(
            summed.get(place.letter) == at if place.free
            else not place.shift and over.get(place.letter) == at
            for place, at in zip(term.places, mine.values(), strict=True)
        )  # fmt: skip

    @cached_property
    def constant(self) -> float | None:
        """The right-hand side where no data stand in it."""
        return None if names_in(parse(self.right)) else float(eval(self.right))


def patterns(spec: Spec) -> tuple[RowPattern, ...]:
    """The objective's pattern, and then those of all families."""
    return (_goal(spec.groups, spec.objective), *(_family(spec.groups, f) for f in spec.families))


# Declarations that differ in the objective have the families in common.
@lru_cache(maxsize=1024)
def _goal(groups: tuple[Group, ...], goal: Objective) -> RowPattern:
    terms = expanded(_names(groups), parse(goal.rule), goal.sense == "maximize")
    return _pattern(groups, OBJECTIVE, "", [*terms], "min")


@lru_cache(maxsize=1024)
def _family(groups: tuple[Group, ...], family: Family) -> RowPattern:
    left, sense, right = sides(family.rule)
    assert isinstance(sense, ast.Constant)
    turned, known = sense.value == ">=", _names(groups)
    terms = [*expanded(known, left, turned), *expanded(known, right, not turned)]
    return _pattern(groups, family.name, family.scope, terms, "=" if sense.value == "=" else "<=")


def _names(groups: tuple[Group, ...]) -> set[str]:
    return {group.name for group in groups}


def _pattern(
    groups: tuple[Group, ...], name: str, scope: str, terms: list[Summand], sense: str
) -> RowPattern:
    constants = [term for term in terms if not term.group]
    points = tuple(_pointed(term, indices(scope)) for term in constants)
    if len(set(points)) > 1 or not all(points):
        points = ()
    side = constants if sense == "min" else [replace(one, minus=not one.minus) for one in constants]
    right = ast.unparse(numbers(side))
    mine = tuple(PatternTerm.of(term) for term in terms if term.group)
    return RowPattern(name, scope, mine, sense, right, groups, points)


def _pointed(term: Summand, letters: tuple[str, ...]) -> str:
    """The row's letter that must be an element of data for a constant to be more than nothing."""
    for factor in () if term.loops else _factors(term.factor):
        match factor:
            case ast.Compare(ast.Name(letter), [ast.Eq()], [ast.Subscript(ast.Name(), at)]):
                if letter in letters and names_in(at) == set(letters) - {letter}:
                    return letter
    return ""


def _factors(tree: ast.expr | None) -> list[ast.expr]:
    match tree:
        case ast.BinOp(left, ast.Mult(), right):
            return [*_factors(left), *_factors(right)]
    return [tree] if tree else []


def _sign(tree: ast.expr) -> int:
    """The sign of a value, where given numbers are positive; 0 where it hangs on them."""
    match tree:
        case ast.Constant(int() | float() as value):
            return 1 if value > 0 else -1 if value < 0 else 0
        case ast.BinOp(left, ast.Mult(), right):
            return _sign(left) * _sign(right)
        case ast.BinOp(left, ast.Add(), right):
            return _sign(left) if _sign(left) == _sign(right) else 0
        case ast.UnaryOp(ast.USub(), part):
            return -_sign(part)
        case ast.Name() | ast.Subscript() | ast.Compare():
            return 1
    return 0


def _sets(scope: str) -> dict[str, str]:
    """The set of each index of a scope."""
    return {letter: loop.over for loop in loops(scope) for letter in loop.indices}


def _place(tree: ast.expr, own: set[str]) -> TermPlace:
    text = ast.unparse(tree)
    match tree:
        case ast.Name(letter) if letter in own:
            return TermPlace(letter, 0, True, False, text)
        case ast.Name(letter):
            return TermPlace(letter, 0, False, False, text)
        case ast.BinOp(ast.Name(letter), ast.Add(), ast.Constant(int() as by)):
            return TermPlace(letter, by, letter in own, False, text)
        case ast.BinOp(ast.Name(letter), ast.Sub(), ast.Constant(int() as by)):
            return TermPlace(letter, -by, letter in own, False, text)
        case ast.BinOp(ast.BinOp(inner, ast.Mod()), ast.Add(), ast.Constant(1)):
            return _round(inner, text)
    return TermPlace("", 0, False, False, text)


def _round(inner: ast.expr, text: str) -> TermPlace:
    found = sorted(names_in(inner))
    if len(found) == 1:
        shift = eval(ast.unparse(inner), {found[0]: _FAR}) + 1 - _FAR
        return TermPlace(found[0], shift, False, True, text)
    return TermPlace("", 0, True, True, text)
