"""The tables of a declaration, from a model whose rows and columns have their keys."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from types import CodeType
from typing import Any

from ordojo.formulation.algebra import indices, listed, loops, named, names_in, parse
from ordojo.formulation.spec import PARAMETERS, Number, Parameter, Spec, Tables
from ordojo.structures.flat import Flat
from ordojo.structures.recognition.assign import Assignment
from ordojo.structures.recognition.keys import Key, Keys
from ordojo.structures.recognition.pattern import PatternTerm, RowPattern

_SMALL = 1e-12
"""Slopes up to this are none: what differences of evaluated doubles leave. Smaller data are not
found."""
_NEAR = 1e-9
"""How much two values that are one may differ: files round to nine digits or more."""
_SCALE = "_scale"
"""By what a row is to be multiplied, where data stand in all of its numbers."""
_NOWHERE = -1
"""An element that is none."""


class _UnknownError(Exception):
    """A number that is asked for and not known."""

    def __init__(self, name: str, key: Any) -> None:
        super().__init__(name)
        self.at = name, key


class _Numbers(dict[Any, Number]):
    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def __missing__(self, key: Any) -> Number:
        raise _UnknownError(self.name, key)


class _Tried(dict[Any, Number]):
    """Numbers on trial, and behind them those that are known."""

    def __init__(self, known: _Numbers) -> None:
        super().__init__()
        self.known = known

    def __missing__(self, key: Any) -> Number:
        return self.known[key]


_PLAIN = {"sum": sum, "range": range, "float": float, "inf": float("inf")}


class _Scope(dict[str, Any]):
    """Letters and data for an expression; a scalar that is not known is asked for, too."""

    def __init__(self, given: Mapping[str, Any], scalars: Mapping[str, Number]) -> None:
        super().__init__(given)
        self.scalars = scalars

    def __missing__(self, name: str) -> Any:
        for known in (_PLAIN, self.scalars):
            if name in known:
                return known[name]
        raise _UnknownError(name, None)


@dataclass(frozen=True)
class Equation:
    """What an expression is for some letters."""

    code: CodeType
    letters: Mapping[str, Number]
    value: float


class Recovery:
    """Sets and numbers of a declaration; `tables` has them as its files would."""

    def __init__(self, spec: Spec, keys: Keys, flat: Flat) -> None:
        self.spec, self.keys, self.flat = spec, keys, flat
        self.sets: dict[str, dict[Any, None]] = {one.name: {} for one in spec.sets}
        self.arrays = {one.name: _Numbers(one.name) for one in spec.parameters if one.over}
        self.arrays[_SCALE] = _Numbers(_SCALE)
        self.scalars: dict[str, Number] = {}
        self.pins: dict[int, float] = {}
        self.elements_of = _element_parameters(spec)
        self._sets()
        used = named(spec) & {*self.sets}
        self.whole = all(self.sets[name] and self._inside(name) for name in used) and self._whole()
        if self.whole:
            self._solve(list(self._equations()))

    def _sets(self) -> None:
        keys = self.keys
        for c, name in enumerate(keys.way.cols):
            self._loop(self.spec.group(name).scope, keys.col(c))
        for r, (k, _) in enumerate(keys.way.rows):
            self._loop(keys.patterns[k].scope, keys.row(r))
            for c, value in zip(keys.lines[r].cols, keys.lines[r].values, strict=True):
                for term in keys.terms(r, c, value):
                    letters = self._letters(r, c, term) if term.over else None
                    for over, own in term.over if letters is not None else ():
                        self._add(over, own, letters or {})
        for one in self.spec.sets:
            if not self.sets[one.name] and len(one.key) == 1:
                mine = (x.name for x in self.spec.sets if self.spec.owners(x.name) == (one.name,))
                self.sets[one.name] = {e: None for name in mine for e in self.sets[name]}
            if one.size:
                self.scalars[one.size] = max((e for e in self.sets[one.name]), default=0)

    def _inside(self, name: str) -> bool:
        """Whether a set's elements are among those of the sets that they come from.

        Sets that have a table each may share a key and no element, as plants and depots do.
        """
        one, owners = self.spec.set(name), self.spec.owners(name)
        parts = zip(*self.sets[name], strict=True) if len(owners) > 1 else [self.sets[name]]
        return all(
            {*mine} <= self.sets[owner].keys()
            for owner, mine in zip(owners, parts, strict=True)
            if owner and (one.parts or self.spec.set(owner).size)
        )

    def _whole(self) -> bool:
        """Whether every loop over the sets has its rows and columns, as far as sets alone say."""
        scopes = [(True, one.name, one.scope) for one in self.spec.families]
        scopes += [(False, one.name, one.scope) for one in self.spec.groups]
        given = {name: list(one) for name, one in self.sets.items()}
        for row, name, scope in scopes:
            try:
                made = eval(_code(listed(scope)), _Scope(given, self.scalars))
            except _UnknownError:
                continue
            if sorted(made) != sorted(self.keys.units.get((row, name), [])):
                return False
        return True

    def _loop(self, scope: str, key: Key) -> None:
        letters = dict(zip(indices(scope), key, strict=True))
        for loop in loops(scope):
            self._add(loop.over, loop.indices, letters)

    def _add(self, over: str, letters: tuple[str, ...], known: Mapping[str, Number]) -> None:
        if over in self.sets and known.keys() >= {*letters}:
            one, *more = [known[letter] for letter in letters]
            self.sets[over][(one, *more) if more else one] = None

    def _letters(self, r: int, c: int, term: PatternTerm) -> dict[str, Number] | None:
        """The letters of a row and of the loops that lead to a column; None if they do not."""
        pattern = self.keys.patterns[self.keys.way.rows[r][0]]
        found: dict[str, Number] = dict(zip(pattern.letters, self.keys.row(r), strict=True))
        for place, element in zip(term.places, self.keys.col(c), strict=True):
            if place.free and place.letter:
                found[place.letter] = element - place.shift
                continue
            own = place.letter in pattern.letters and not place.cyclic
            if own and found[place.letter] + place.shift != element:
                return None
        for letter, said in term.said.items():
            if isinstance(said, ast.Name) and said.id in found:
                found[letter] = found[said.id]
        return found

    def _equations(self) -> Iterator[Equation]:
        keys = self.keys
        for r, (k, turn) in enumerate(keys.way.rows):
            pattern, line = keys.patterns[k], keys.lines[r]
            row: dict[str, Number] = dict(zip(pattern.letters, keys.row(r), strict=True))
            yield self._equation(r, turn, pattern.right, row, line.right)
            for c, value in zip(line.cols, line.values, strict=True):
                found = [
                    (term, letters) for term in pattern.terms if term.group == keys.way.cols[c]
                    and (letters := self._letters(r, c, term)) is not None
                ]  # fmt: skip
                every = dict(row)
                for _, letters in found:
                    every |= letters
                text = " + ".join(_added(term, letters, keys.col(c)) for term, letters in found)
                if found and not (len(found) == 1 and found[0][0].known and self._pinned(r)):
                    yield self._equation(r, turn, text, every, value)
        for c, name in enumerate(keys.way.cols):
            group = self.spec.group(name)
            of = dict(zip(indices(group.scope), keys.col(c), strict=True))
            ends = (group.lower, self.flat.lower[c]), (group.upper, self.flat.upper[c])
            for text, bound in ends:
                if text and names_in(parse(text)):
                    yield Equation(_code(text), of, float(bound))

    def _equation(
        self, r: int, turn: int, text: str, letters: Mapping[str, Number], value: float
    ) -> Equation:
        size = self._pinned(r)
        if size or not value:
            return Equation(_code(text), letters, value * turn / (size or 1.0))
        return Equation(_code(f"({text}) - ({value * turn!r}) * {_SCALE}[{r}]"), letters, 0.0)

    def _pinned(self, r: int) -> float:
        """By what a row is multiplied, where its coefficients of 1 show it; else 0."""
        if r not in self.pins:
            line, of = self.keys.lines[r], self.keys.way.cols
            pinned = self.keys.patterns[self.keys.way.rows[r][0]].pinned
            sizes = (abs(v) for c, v in zip(line.cols, line.values, strict=True) if of[c] in pinned)
            self.pins[r] = next(sizes, 0.0)
        return self.pins[r]

    def scale(self, r: int) -> float:
        """By what a row of the declaration is multiplied to give the model's."""
        return self._pinned(r) or 1.0 / (self.arrays[_SCALE].get(r) or 1.0)

    def turn(self, r: int) -> float:
        """The same with its sign: -1 where the row was turned."""
        return self.keys.way.rows[r][1] * self.scale(r)

    def _solve(self, equations: list[Equation]) -> None:
        """Solve those with one unknown number, and so on; fix one where none is left."""
        waiting: dict[Any, list[int]] = {}
        open_: dict[int, list[Any]] = {}
        asked = list(range(len(equations)))
        while True:
            fresh: list[Any] = []
            for k in asked:
                unknown = self._one(equations[k], fresh)
                if unknown:
                    open_[k] = unknown
                    for at in unknown:
                        waiting.setdefault(at, []).append(k)
                else:
                    open_.pop(k, None)
            if not fresh:
                left, unknown_ = [equations[k] for k in open_], list(open_.values())
                fresh = (
                    self._place(left) or self._both(left, unknown_) or self._choose(left, unknown_)
                )
                if not fresh:
                    return
            asked = sorted({k for at in fresh for k in waiting.pop(at, []) if k in open_})

    def _value(self, one: Equation, trial: Mapping[Any, Number]) -> tuple[float, list[Any]]:
        """An expression's value and what of the trial it asked for; others are taken as 1."""
        trial = dict(trial)
        asked: list[Any] = []
        while True:
            try:
                given = {**one.letters, **self._given, **self._tried(trial)}
                return float(eval(one.code, _Scope(given, self.scalars))), asked
            except _UnknownError as error:
                asked.append(error.at)
                trial.setdefault(error.at, 1.0)

    @cached_property
    def _given(self) -> dict[str, Any]:
        """Arrays and sets for an expression, once the sets are whole."""
        return {**self.arrays, **{name: list(one) for name, one in self.sets.items()}}

    def _tried(self, trial: Mapping[Any, Number]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for (name, key), value in trial.items():
            if key is None:
                found[name] = value
            else:
                found.setdefault(name, _Tried(self.arrays[name]))[key] = value
        return found

    def _relevant(self, one: Equation) -> tuple[float, dict[Any, float]]:
        """The value with all unknown numbers 1, and what it gains by 1 more of each."""
        base, asked = self._value(one, {})
        known = dict.fromkeys(asked, 1.0)
        slopes = {at: self._value(one, known | {at: 2.0})[0] - base for at in asked}
        return base, {at: slope for at, slope in slopes.items() if abs(slope) > _SMALL}

    def _one(self, one: Equation, fresh: list[Any]) -> list[Any]:
        """Solve an equation with one unknown number, which is added to `fresh`; what is left."""
        base, slopes = self._relevant(one)
        elements_ = [at for at in slopes if at[0] in self.elements_of]
        if len(slopes) > 1 or elements_:
            return list(slopes)
        for at, slope in slopes.items():
            self._put(at, 1.0 + (one.value - base) / slope)
            fresh.append(at)
        asked = self._value(one, {})[1] if self.elements_of else ()
        return [at for at in asked if at[0] in self.elements_of]

    def _put(self, at: Any, value: Number) -> None:
        name, key = at
        value = round(value) if abs(value - round(value)) < 1e-9 * max(1.0, abs(value)) else value
        if key is None:
            self.scalars.setdefault(name, value)
        else:
            self.arrays[name].setdefault(key, value)

    def _place(self, left: list[Equation]) -> list[Any]:
        """Find the element that a parameter is: the one at which an equation holds."""
        for one in left if self.elements_of else ():
            asked = [at for at in self._value(one, {})[1] if at[0] in self.elements_of]
            none = dict.fromkeys(asked, _NOWHERE)
            held = abs(self._value(one, none)[0] - one.value) <= _NEAR * abs(one.value)
            for at in asked if not held else ():
                for element in one.letters.values():
                    value, others = self._value(one, none | {at: element})
                    if abs(value - one.value) <= 1e-9 * abs(one.value) and not others:
                        self._put(at, element)
                        return [at]
        return []

    def _both(self, left: list[Equation], unknown: list[list[Any]]) -> list[Any]:
        """Two numbers that two equations have."""
        met: dict[tuple[Any, ...], Equation] = {}
        for one, mine in zip(left, unknown, strict=True):
            key = tuple(sorted(mine, key=repr))
            if len(key) != 2 or any(at[0] in self.elements_of for at in key):
                continue
            if key not in met:
                met[key] = one
                continue
            other = met[key]
            (base, slopes), (ground, rises) = self._relevant(one), self._relevant(other)
            if not len(slopes) == len(rises) == 2:
                continue
            a, b = key
            whole = slopes[a] * rises[b] - slopes[b] * rises[a]
            if abs(whole) > _NEAR and not self._crossed(one, a) and not self._crossed(other, a):
                gap, rest = one.value - base, other.value - ground
                self._put(a, 1.0 + (gap * rises[b] - rest * slopes[b]) / whole)
                self._put(b, 1.0 + (slopes[a] * rest - rises[a] * gap) / whole)
                return [a, b]
        return []

    def _choose(self, left: list[Equation], unknown: list[list[Any]]) -> list[Any]:
        """Fix a number that the model leaves open: a scale, or what hangs on the fewest indices."""
        width = {one.name: len(one.over) for one in self.spec.parameters} | {_SCALE: -1}
        found = [
            (width[at[0]], k, at)
            for k, mine in enumerate(unknown) for at in mine if at[0] not in self.elements_of
        ]  # fmt: skip
        if not found:
            return []
        _, k, at = min(found, key=lambda one: one[:2])
        self._put(at, 1.0 if at[0] == _SCALE or self._crossed(left[k], at) else 0.0)
        return [at]

    def _crossed(self, one: Equation, at: Any) -> bool:
        """Whether an unknown number is multiplied by another, and not added to it."""
        base, slopes = self._relevant(one)
        known = dict.fromkeys(slopes, 1.0) | {at: 2.0}
        for other in slopes:
            both = self._value(one, known | {other: 2.0})[0]
            if other != at and abs(both - base - slopes[at] - slopes[other]) > _SMALL:
                return True
        return False

    def tables(self) -> Tables:
        """All tables; numbers that the model never asks for are zero."""
        found: Tables = {PARAMETERS: {}}
        keyed: dict[str, tuple[tuple[str, ...], list[Any]]] = {}
        for one in self.spec.sets:
            if one.key:
                keyed.setdefault(one.table, (one.key, sorted(self.sets[one.name])))
        for item in self.spec.parameters:
            if not item.over:
                found[PARAMETERS][item.name] = [self.scalars.get(item.name, 0)]
            else:
                keyed.setdefault(item.table, (self.spec.key(item), self._all(item)))
        for name, (columns, rows) in keyed.items():
            tuples = [row if isinstance(row, tuple) else (row,) for row in rows]
            found[name] = {column: [row[k] for row in tuples] for k, column in enumerate(columns)}
            for item in self.spec.parameters:
                if item.over and item.table == name:
                    array = self.arrays[item.name]
                    found[name][item.name] = [array.get(row, 0) for row in rows]
        return found

    def _all(self, item: Parameter) -> list[Any]:
        parts = product(*(sorted(self.sets[name]) for name in item.over))
        flat = [tuple(x for one in part for x in (one if isinstance(one, tuple) else (one,)))
                for part in parts]  # fmt: skip
        return flat if flat and len(flat[0]) > 1 else [one[0] for one in flat]


def fillable(spec: Spec, patterns: Sequence[RowPattern], way: Assignment) -> bool:
    """Whether every set that a declaration names may get elements, if rows and columns are these.

    Where it may not, no key and no number need be sought.
    """
    mine = [patterns[k] for k in {k for k, _ in way.rows}]
    scopes = [spec.group(name).scope for name in {*way.cols}] + [one.scope for one in mine]
    spec_sets = {one.name for one in spec.sets}
    over = {loop.over for scope in scopes for loop in loops(scope)}
    over |= {name for one in mine for term in one.terms for name, _ in term.over}
    for one in spec.sets:
        if len(one.key) == 1 and any(spec.owners(name) == (one.name,) for name in spec_sets & over):
            over.add(one.name)
    return named(spec) & spec_sets <= over


def _added(term: PatternTerm, letters: Mapping[str, Number], key: Key) -> str:
    """The coefficient, summed where a loop's letter is not said by the variable."""
    mine = [
        loop for loop, (_, own) in zip(term.loops, term.over, strict=True)
        if not set(own) <= set(letters)
    ]  # fmt: skip
    if not mine:
        return term.text
    tests = [f"{place.text} == {element}" for place, element in zip(term.places, key, strict=True)]
    tests += [ast.unparse(test) for test in term.tests]
    over = " ".join(f"for {ast.unparse(one.target)} in {ast.unparse(one.iter)}" for one in mine)
    return f"sum(({term.text}) {over} if {' and '.join(tests)})"


@lru_cache(maxsize=1024)
def _code(text: str) -> CodeType:
    return compile(text, "<rule>", "eval")


def _element_parameters(spec: Spec) -> set[str]:
    """Parameters that are elements: those that an index is compared with."""
    found = set()
    over = {item.name for item in spec.parameters if item.over}
    for family in spec.families:
        for part in ast.walk(parse(family.rule)):
            match part:
                case ast.Compare(ast.Name(), [ast.Eq()], [ast.Subscript(ast.Name(name))]):
                    found |= {name} & over
    return found
