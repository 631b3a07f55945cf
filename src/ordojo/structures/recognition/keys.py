"""The indices of rows and columns, from where they meet: what one letter joins is one element."""

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import permutations
from math import prod
from typing import Any

from ordojo.formulation.algebra import index_owners, loops, names
from ordojo.formulation.spec import Spec
from ordojo.structures.recognition.assign import AssignedLine, Assignment
from ordojo.structures.recognition.pattern import PatternTerm, RowPattern, TermPlace

Key = tuple[int, ...]

_NOTHING = 1e-8
"""What is more than this is not taken for nothing when two models are compared."""


class _Joined:
    """Slots that are one element, or a fixed step from it."""

    def __init__(self, size: int) -> None:
        self.parent, self.step = list(range(size)), [0] * size
        self.sound = True

    def find(self, a: int) -> tuple[int, int]:
        """The slot that stands for all, and the step from it."""
        near = self.parent[a]
        if self.parent[near] == near:
            return near, self.step[a]
        path, step = [], 0
        while self.parent[a] != a:
            path.append(a)
            a = self.parent[a]
        for one in reversed(path):
            step += self.step[one]
            self.parent[one], self.step[one] = a, step
        return a, step

    def join(self, a: int, b: int, shift: int = 0) -> None:
        """Element a is element b plus a shift."""
        (a, up), (b, low) = self.find(a), self.find(b)
        if a == b:
            self.sound = self.sound and up == low + shift
        else:
            self.parent[a], self.step[a] = b, low + shift - up


class Keys:
    """The key of every row and column; `sound` is False where two indices contradict each other.

    A way that is not `whole` has rows without a pattern and columns without a group: of the others
    it is known whether they are sound, and no more.
    """

    def __init__(
        self,
        spec: Spec,
        patterns: Sequence[RowPattern],
        lines: Sequence[AssignedLine],
        way: Assignment,
        whole: bool = True,
    ) -> None:
        self.spec, self.patterns, self.lines, self.way = spec, patterns, lines, way
        owners: list[str] = []
        self.col_at, self.row_at = [], []
        scopes = {group.name: group.scope for group in spec.groups} | {"": ""}
        for group in way.cols:
            self.col_at.append(len(owners))
            owners += index_owners(spec, scopes[group])
        for k, _ in way.rows:
            self.row_at.append(len(owners))
            owners += index_owners(spec, patterns[k].scope if k >= 0 else "")
        self.owners, self.joined = owners, _Joined(len(owners))
        self.later: list[tuple[int, list[PatternTerm], list[int]]] = []
        self.pins: list[tuple[int, str]] = []
        self.binds: dict[tuple[int, int], list[tuple[int, TermPlace, int | None]]] = {}
        for r, (k, _) in enumerate(way.rows):
            if k >= 0:
                self._row(r)
        if not whole:
            self.sound = self.joined.sound
            return
        self._memberships()
        self._round()
        self._alone()
        self.sound = self.joined.sound and not self._crowded()
        self.numbers: list[int] = []
        if self.sound:
            self.numbers = self._numbered()
            self.last: dict[str, int] = {}
            for owner, number in zip(owners, self.numbers, strict=True):
                self.last[owner] = max(number, self.last.get(owner, 0))
            for one in self.later:
                self._settle(*one)

    def col(self, c: int) -> Key:
        """A column's key."""
        at = self.col_at[c]
        end = self.col_at[c + 1] if c + 1 < len(self.col_at) else self.row_at[0]
        return tuple(self.numbers[at:end])

    def row(self, r: int) -> Key:
        """A row's key."""
        at = self.row_at[r]
        return tuple(self.numbers[at : at + len(self.patterns[self.way.rows[r][0]].letters)])

    @cached_property
    def units(self) -> dict[tuple[bool, str], list[Key]]:
        """The keys of each group's columns and, with True, of each family's rows, by name."""
        found: dict[tuple[bool, str], list[Key]] = {}
        for c, name in enumerate(self.way.cols):
            found.setdefault((False, name), []).append(self.col(c))
        for r, (k, _) in enumerate(self.way.rows):
            found.setdefault((True, self.patterns[k].name), []).append(self.row(r))
        return found

    @property
    def filling(self) -> bool:
        """Whether loops over whole sets have as many columns or rows as their elements ask for."""
        scopes = {(True, one.name): one.scope for one in self.patterns}
        scopes |= {(False, one.name): one.scope for one in self.spec.groups}
        plain = {one.name for one in self.spec.sets}
        return not any(
            prod(len({*one}) for one in zip(*mine, strict=True)) > len(mine)
            for unit, mine in self.units.items()
            if all(
                one.over in plain and len(one.indices) == 1 and not one.conditions
                for one in loops(scopes[unit])
            )
        )

    def terms(self, r: int, c: int, value: float) -> tuple[PatternTerm, ...]:
        """The terms that an entry may be."""
        k, turn = self.way.rows[r]
        sign = turn if value > 0 else -turn
        return self.patterns[k].by_group.get((self.way.cols[c], sign), ())

    def _row(self, r: int) -> None:
        line, (k, turn) = self.lines[r], self.way.rows[r]
        of, by_group = self.way.cols, self.patterns[k].by_group
        open_: dict[tuple[PatternTerm, ...], list[int]] = {}
        for c, sign in zip(line.cols, line.signs, strict=True):
            found = by_group.get((of[c], turn * sign), ())
            if len(found) == 1:
                self._bind(r, c, found[0])
            elif found:
                open_.setdefault(found, []).append(c)
        for found, cols in open_.items():
            alike = [len({term.places[p] for term in found}) == 1 for p in range(len(found[0].at))]
            for c in cols:
                self._bind(r, c, found[0], alike)
            self.later.append((r, list(found), cols))

    def _bind(self, r: int, c: int, term: PatternTerm, which: Sequence[bool] | None = None) -> None:
        k = self.way.rows[r][0]
        if (k, id(term)) not in self.binds:
            self.binds[k, id(term)] = [*_binds(self.patterns[k].letters, term)]
        for p, place, at in self.binds[k, id(term)]:
            if which is not None and not which[p]:
                continue
            if at is None:
                self.pins.append((self.col_at[c] + p, place.text))
            else:
                self.joined.join(self.col_at[c] + p, self.row_at[r] + at, place.shift)

    def _memberships(self) -> None:
        """Rows that loop over the same listed elements of one table are of one element."""
        groups: dict[tuple[Any, ...], dict[tuple[Any, ...], list[int]]] = {}
        for r, (k, _) in enumerate(self.way.rows):
            pattern = self.patterns[k]
            for term in pattern.terms:
                for letter, said in term.said.items():
                    name = getattr(said, "id", "")
                    if name not in pattern.letters or name in {p.letter for p in term.places}:
                        continue
                    mine = self.row_at[r] + pattern.letters.index(name)
                    line = self.lines[r]
                    listed = [
                        self._found(c) for c, value in zip(line.cols, line.values, strict=True)
                        if self.terms(r, c, value) == (term,)
                    ]  # fmt: skip
                    rest = tuple(
                        self.joined.find(self.row_at[r] + q)
                        for q in range(len(pattern.letters)) if self.row_at[r] + q != mine
                    )  # fmt: skip
                    where = [p for p, place in enumerate(term.places) if place.free]
                    table = next(
                        ast.unparse(loop.iter) for loop in term.loops
                        if letter in names(loop.target)
                    )  # fmt: skip
                    key = table, frozenset(tuple(one[p] for p in where) for one in listed)
                    if listed:
                        bucket = groups.setdefault(key, {}).setdefault((k, rest), [])
                        if mine not in bucket:
                            bucket.append(mine)
        for buckets in groups.values():
            columns = list(buckets.values())
            for rank in range(max(map(len, columns))):
                alike = [bucket[rank] for bucket in columns if rank < len(bucket)]
                for other in alike[1:]:
                    self.joined.join(other, alike[0])

    def _found(self, c: int) -> list[tuple[int, int]]:
        width = len(index_owners(self.spec, self.spec.group(self.way.cols[c]).scope))
        return [self.joined.find(self.col_at[c] + p) for p in range(width)]

    def _crowded(self) -> bool:
        """Whether more rows have a right-hand side than the elements that it stands at."""
        met: Counter[tuple[Any, ...]] = Counter()
        for r, (k, _) in enumerate(self.way.rows):
            pattern = self.patterns[k]
            if pattern.points and abs(self.lines[r].right) > _NOTHING:
                key = k, *(
                    self.joined.find(self.row_at[r] + p)
                    for p, letter in enumerate(pattern.letters) if letter != pattern.points[0]
                )  # fmt: skip
                met[key] += 1
                if met[key] > len(pattern.points):
                    return True
        return False

    def _numbered(self) -> list[int]:
        """A number for every slot: along steps where there are some, else in order."""
        found = [self.joined.find(slot) for slot in range(len(self.owners))]
        owner: dict[int, str] = {}
        lowest: dict[int, int] = {}
        steps: set[int] = set()
        for (root, step), name in zip(found, self.owners, strict=True):
            if name and not owner.get(root):
                owner[root] = name
            owner.setdefault(root, "")
            if step != lowest.setdefault(root, step):
                steps.add(root)
            lowest[root] = min(step, lowest[root])
        stepped = {owner[root] for root in steps}
        numbers: dict[str, dict[tuple[int, int], int]] = {}
        first = [found[slot] for slot, text in self.pins if text == "1"]
        for one in [*first, *found]:
            mine = numbers.setdefault(owner[one[0]], {})
            if owner[one[0]] in stepped:
                mine[one] = one[1] - lowest[one[0]] + 1
            else:
                mine.setdefault(one, len(mine) + 1)
        last = {found[slot] for slot, text in self.pins if not text.isdigit()}
        for one in last:
            mine = numbers[owner[one[0]]]
            if owner[one[0]] not in stepped and len(last) == 1:
                other = max(mine, key=mine.__getitem__)
                mine[one], mine[other] = mine[other], mine[one]
        return [numbers[owner[one[0]]][one] for one in found]

    def _alone(self) -> None:
        """Loops over one whole set have the same elements: those that nothing joins, in order."""
        loops_: dict[str, dict[str, list[int]]] = {}
        scopes = {group.name: group.scope for group in self.spec.groups}
        for at, name in zip(self.col_at, self.way.cols, strict=True):
            loops_.setdefault(scopes[name], {}).setdefault(name, []).append(at)
        for at, (k, _) in zip(self.row_at, self.way.rows, strict=True):
            one = self.patterns[k]
            loops_.setdefault(one.scope, {}).setdefault(f"{one.name} rows", []).append(at)
        sets: dict[str, list[list[int]]] = {}
        for scope, units in loops_.items():
            found = loops(scope)
            if len(found) == 1 and len(found[0].indices) == 1 and not found[0].conditions:
                sets.setdefault(found[0].over, []).extend(units.values())
        for units_ in sets.values():
            for mine in units_[1:]:
                here = {self.joined.find(slot)[0] for slot in units_[0]}
                own = [slot for slot in mine if self.joined.find(slot)[0] not in here]
                joined = {self.joined.find(slot)[0] for slot in mine}
                rest = [slot for slot in units_[0] if self.joined.find(slot)[0] not in joined]
                if len(own) == len(rest):
                    for slot, other in zip(own, rest, strict=True):
                        self.joined.join(slot, other)

    def _settle(self, r: int, terms: list[PatternTerm], cols: list[int]) -> None:
        """Variables that could stand for each other: the first order that gives the row a key."""
        letters = self.patterns[self.way.rows[r][0]].letters
        for order in permutations(sorted(cols, key=self.col)):
            found = self._key(dict(zip(letters, self.row(r), strict=True)), terms, order)
            if found is not None:
                for letter, number in found.items():
                    self.numbers[self.row_at[r] + letters.index(letter)] = number
                return

    def _key(
        self, letters: Mapping[str, int], terms: list[PatternTerm], order: Sequence[int]
    ) -> dict[str, int] | None:
        found: dict[str, int] = {}
        for c, term in zip(order, terms, strict=False):
            for place, element in zip(term.places, self.col(c), strict=True):
                own = place.letter in letters and not place.cyclic
                number = element - place.shift
                if own and found.setdefault(place.letter, number) != number:
                    return None
        for c, term in zip(order, terms, strict=False):
            for p, (place, element) in enumerate(zip(term.places, self.col(c), strict=True)):
                if place.letter in letters and place.cyclic:
                    size = self.last[self.owners[self.col_at[c] + p]]
                    if (found.get(place.letter, 0) + place.shift - 1) % size + 1 != element:
                        return None
        return found

    def _round(self) -> None:
        """Elements that meet in pairs, all round: each is a step after the one before."""
        near: dict[int, list[int]] = {}
        for _, terms, cols in self.later:
            for p in range(len(terms[0].places)):
                if len(cols) == 2 and any(term.places[p].cyclic for term in terms):
                    a, b = (self.joined.find(self.col_at[c] + p)[0] for c in cols)
                    near.setdefault(a, []).append(b)
                    near.setdefault(b, []).append(a)
        if not near:
            return
        first = [self.joined.find(slot)[0] for slot, text in self.pins if text == "1"]
        at = next((one for one in first if one in near), next(iter(near)))
        seen = {at}
        while following := [one for one in near[at] if one not in seen]:
            self.joined.join(following[0], at, 1)
            at = following[0]
            seen.add(at)


def _binds(
    letters: tuple[str, ...], term: PatternTerm
) -> Iterator[tuple[int, TermPlace, int | None]]:
    """Which of a variable's indices are tied: to which of the row's, or to one for all rows."""
    for p, place in enumerate(term.places):
        if not place.free and place.letter not in letters:
            yield p, place, None
        elif not place.free and not place.cyclic:
            yield p, place, letters.index(place.letter)
