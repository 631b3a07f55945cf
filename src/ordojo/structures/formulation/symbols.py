"""What the names of a formulation stand for: indices, sets, tables, parameters, each once.

Fields that relations join are one `Concept`, with its letters. A `SymbolTable` gives out names and
keeps the sets, tables of tuples (`TupleTable`) and parameters made under them. What is there says
what comes later, where it does: a `Function` or two give an index (`stated`), two `PairStep`s, one
after the other, a table of pairs (`path`).
"""

import keyword
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import NamedTuple

import numpy as np

from ordojo.core.errors import DataError
from ordojo.formulation.algebra import tuple_of, unused
from ordojo.formulation.spec import PARAMETERS, SETS, Parameter, Set
from ordojo.structures.abstraction.relations import composed, turned
from ordojo.structures.abstraction.tables import Array, Members
from ordojo.structures.arrays import connected, firsts
from ordojo.structures.flat import Ints
from ordojo.structures.formulation.relate import Relation
from ordojo.structures.formulation.units import Unit

_POOL = "ijklpqrshuvwgmnoeabcdfxyz"
"""Letters in the order in which they are given out: indices by custom first, names of data last."""
_TIME = "t"
"""The letter of an index that some relation moves by a step."""


@dataclass(eq=False)
class Concept:
    """Fields that range over the same things: all their `values`, sorted, and `letters` to use."""

    values: Ints
    words: bool
    letters: list[str] = field(default_factory=list)
    banned: frozenset[str] = frozenset()

    def letter(self, taken: list[str] | set[str]) -> str:
        """A letter that is not taken."""
        free = next((one for one in self.letters if one not in taken), "")
        return free or unused(self.letters[0], {*taken, *self.banned})


Place = tuple[int, int]
Link = tuple[int, int, Relation]
"""A relation between a family and a group, by their numbers among all units."""


def concepts(units: list[Unit], links: list[Link], taken: set[str]) -> dict[Place, Concept]:
    """The concept of field k of unit u, for all (u, k); letters avoid what is taken."""
    places = [(u, k) for u, unit in enumerate(units) for k in range(len(unit.fields))]
    names = set(taken)
    joined: list[tuple[Place, Place]] = []
    ordered: set[Place] = set()
    for f, g, relation in links:
        for a, b, moved in _joined(units[f], units[g], relation):
            joined.append(((f, a), (g, b)))
            if moved:
                ordered.add((f, a))
    joined += _alike(units, _parts(places, joined))
    found: dict[Place, Concept] = {}
    for mine in _parts(places, joined):
        concept = Concept(*_values(units, mine))
        concept.banned = frozenset(names)
        many = max(Counter(u for u, _ in mine).values())
        hints = Counter(units[u].hints[k] for u, k in mine if units[u].hints[k])
        # A set is called by its letter's capital.
        wanted = [hint for hint, _ in hints.most_common() if hint.upper() not in names]
        timed = many == 1 and not ordered.isdisjoint(mine)
        wanted += [_TIME] if timed and not wanted else []
        for letter in [*wanted, *(one for one in _POOL if one.upper() not in names)]:
            if letter not in taken and len(concept.letters) < many:
                concept.letters.append(letter)
                taken.add(letter)
        if not concept.letters:
            concept.letters.append(unused("i", taken, 1))
            taken.add(concept.letters[0])
        found.update(dict.fromkeys(mine, concept))
    return found


def _parts(places: list[Place], joined: list[tuple[Place, Place]]) -> list[list[Place]]:
    """The places apart, but for those that are joined, directly or by others."""
    if not places:
        return []
    number = {place: k for k, place in enumerate(places)}
    ends = np.array([[number[a], number[b]] for a, b in joined], np.int64).reshape(-1, 2).T
    label = connected(ends[0], ends[1], len(places))
    return [[places[k] for k in items.tolist()] for items in Members.of(label).items]


def _values(units: list[Unit], places: list[Place]) -> tuple[Ints, bool]:
    """The values of some fields, sorted, and whether they are words."""
    fields = [np.unique(units[u].fields[k]) for u, k in places]
    unit, k = places[0]
    return np.unique(np.concatenate(fields)), units[unit].words[k]


def _joined(family: Unit, group: Unit, r: Relation) -> list[tuple[int, int, bool]]:
    """Row and column fields that a relation says are of one kind; whether one is moved."""
    atoms = [(a, b, shift) for b, (a, shift) in r.bound.items()]
    if r.window:
        atoms.append((r.window[0], r.window[1], 1))
    if r.modular:
        atoms.append((r.modular[0], r.modular[1], 1))
    if r.span:
        side, k, _, _ = r.span
        for base in r.bases:
            if base is not None:
                atoms.append((base, k, 1) if side == "rows" else (k, base, 1))
    return [
        (a, b, shift != 0) for a, b, shift in atoms
        if not shift or _overlap(family.fields[a], group.fields[b])
    ]  # fmt: skip


def _overlap(one: Ints, other: Ints) -> bool:
    # A shift joins two fields of one kind only if at least half of the shorter range is common:
    # else years and machine numbers that happen to differ by a constant would share a letter.
    low, high = max(one.min(), other.min()), min(one.max(), other.max())
    less = min(one.max() - one.min(), other.max() - other.min())
    return bool(2 * (high - low) >= less)


def _alike(units: list[Unit], parts: list[list[Place]]) -> list[tuple[Place, Place]]:
    """Pairs of concepts with the same values, never in one index, and without other letters."""
    seen: dict[tuple[bool, bytes], list[list[Place]]] = {}
    found = []
    for mine in parts:
        values, words = _values(units, mine)
        for theirs in seen.setdefault((words, values.tobytes()), []):
            hints = [{units[u].hints[k] for u, k in part} - {""} for part in (mine, theirs)]
            apart = {u for u, _ in mine}.isdisjoint(u for u, _ in theirs)
            if apart and not (all(hints) and hints[0].isdisjoint(hints[1])):
                found.append((mine[0], theirs[0]))
                theirs.extend(mine)
                break
        else:
            seen[words, values.tobytes()].append(mine)
    return found


_FEW, _TELLING = 16, 3
"""Places that are looked at first (time only), and values that a function must have to be said as
two: with one or two values, two others compose to it by chance."""


@dataclass(frozen=True, eq=False)
class Function:
    """The parameter `name` gives an index for an index: `values` for `keys`, which ascend."""

    name: str
    of: Concept
    to: Concept
    keys: Ints
    values: Ints

    def at(self, places: Ints) -> Ints | None:
        """The values at some places; None where one has none."""
        found = np.minimum(np.searchsorted(self.keys, places), len(self.keys) - 1)
        return self.values[found] if np.array_equal(self.keys[found], places) else None


def stated(
    vector: Ints, places: Ints, of: Concept, to: Concept, functions: Sequence[Function]
) -> tuple[str, ...]:
    """The function that has these values at these places, or two, the inner one first; or none."""
    some = np.linspace(0, len(vector) - 1, _FEW).astype(np.int64)
    mine = [one for one in functions if one.of is of]
    for one in mine:
        if one.to is to and _is(one.at(places), vector):
            return (one.name,)
    if len(np.unique(vector)) < _TELLING:
        return ()
    for inner in mine:
        middle = inner.at(places)
        for outer in functions:
            if middle is None or outer.of is not inner.to or outer.to is not to:
                continue
            if _is(outer.at(middle[some]), vector[some]) and _is(outer.at(middle), vector):
                return inner.name, outer.name
    return ()


def _is(found: Ints | None, vector: Ints) -> bool:
    return found is not None and np.array_equal(found, vector)


_OWN = (
    "Model model terms given rows sets scalars inf read tuples column group_by defaultdict range "
    "int float str reaching offset sum row matching"
)
RESERVED = frozenset(_OWN.split())
"""Names that programs, and the declaration that they are made of, use for themselves."""


_SIDE = "right-hand side of"
_OF_COLUMNS = ("upper bound of", "lower bound of", "objective coefficient of")
"""What rows ask for is not called what variables are: equal numbers are two data there."""
_MOST = 12
"""The most tables that are tried for the rule of another; bounds time, as pairs of them are
composed."""


@dataclass(frozen=True, eq=False)
class PairStep:
    """Pairs of indices, in order; `text` says of two letters that they are one."""

    of: Concept
    to: Concept
    pairs: Ints
    text: str

    def turned(self) -> "PairStep":
        """From the second index to the first."""
        return PairStep(self.to, self.of, turned(self.pairs), self.text.format("{1}", "{0}"))


def path(
    pairs: Ints, of: Concept, to: Concept, steps: Sequence[PairStep]
) -> tuple[PairStep, PairStep] | None:
    """Two steps that lead from each first index to its second ones and to no others."""

    def fit(first: PairStep, then: PairStep | None) -> bool:
        return first.of is of and (then is None or (then.of is first.to and then.to is to))

    ways = [way for one in steps[:_MOST] for way in (one, one.turned())]
    return None if of is to else composed(pairs, [(way, way.pairs) for way in ways], fit)


_TURNED = 3
"""Tables of at most so many indices are looked for in every order; 4 would have 24 of them."""


class TupleTable(NamedTuple):
    """Distinct tuples with data columns beside them: its name as a set, its file, key columns.

    `parts` are the sets of the keys.
    """

    name: str
    file: str
    key: tuple[str, ...]
    parts: tuple[str, ...]


class SymbolTable:
    """Gives out names and keeps what is made under them.

    `chosen` renames, by the names given without it.
    """

    def __init__(self, chosen: Mapping[str, str], words: Sequence[str] = ()) -> None:
        self._chosen = dict(chosen)
        self._given = frozenset(chosen.values())
        self._used: dict[str, str] = {}
        self.words = words
        self._files: set[str] = {SETS, PARAMETERS}
        self._sets: dict[tuple[int, bytes], Set] = {}
        self._products: list[Set] = []
        self._tables: dict[tuple[object, ...], TupleTable] = {}
        self._concepts: dict[Concept, int] = {}
        self._scalars: dict[tuple[str, float], str] = {}
        self._known: dict[tuple[str, bytes], Parameter] = {}
        self._steps: list[PairStep] = []
        self.arrays: dict[str, dict[str, Array]] = {}
        self.parameters: list[Parameter] = []
        self.sources: dict[str, str] = {}
        self.functions: list[Function] = []

    def name(self, wanted: str, default: str | None = None) -> str:
        """A name that nothing else has: `wanted`, or with a number; `default` is what to rename.

        Raises DataError where a chosen name is no identifier or taken.
        """
        default = self._free(default or wanted, set(self._used))
        found = self._chosen.pop(default, None)
        if found is None and wanted in self._given:
            raise DataError(f"two things cannot both be named '{wanted}'; choose another name")
        if found is None:
            found = self._free(wanted, set(self._used.values()))
        elif not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", found) or not self._valid(found):
            raise DataError(f"'{found}' is no name for {default}: use letters, digits, underscores")
        elif found in self._used.values():
            raise DataError(f"two things cannot both be named '{found}'; choose another name")
        self._used[default] = found
        return found

    def avoid(self, letters: Iterable[str]) -> None:
        """Give these to nothing: indices have them."""
        self._used.update((f"[{letter}]", letter) for letter in letters)

    def finish(self) -> None:
        """Raises DataError where a chosen name renames nothing."""
        if self._chosen:
            unknown = next(iter(self._chosen))
            raise DataError(
                f"nothing is named '{unknown}' to be renamed; known: {', '.join(self._used)}"
            )

    def letters(self) -> set[str]:
        """The names in use, which letters must avoid."""
        return set(self._used.values()) | set(self._chosen.values())

    def next(self, letter: str) -> str:
        """The letter with the next number."""
        return unused(letter, self._used, 1)

    def _free(self, wanted: str, used: set[str]) -> str:
        free = wanted not in used and self._valid(wanted)
        return wanted if free else unused(f"{wanted}_", used)

    @staticmethod
    def _valid(name: str) -> bool:
        return not keyword.iskeyword(name) and name not in RESERVED

    def set_of(self, concept: Concept, values: Ints | None = None) -> Set:
        """The set of some (or all) values of a concept."""
        number = self._number(concept)
        mine = concept.values if values is None else values
        key = number, mine.tobytes()
        if key in self._sets:
            return self._sets[key]
        whole = values is None or np.array_equal(values, concept.values)
        wide = "" if whole else self.set_of(concept).name
        parts = sum(one.within == wide for one in self._sets.values()) if wide else 0
        own = concept.letters[0].upper()
        name = self.name(f"{wide or own}{parts + 1 if wide else ''}", f"{own}{parts + 1}"
                         if wide else own)  # fmt: skip
        low, high = int(mine[0]), int(mine[-1])
        dense = not concept.words and high - low + 1 == len(mine)
        found = Set(
            name, name, _elements(mine, concept.words), SETS if dense else self._file(name),
            (concept.letters[0],), within=wide,
        )  # fmt: skip
        self._sets[key] = found
        if dense:
            self.arrays.setdefault(SETS, {})[name] = np.array([low, high])
        else:
            self._put_table((number,), (concept,), [mine], found)
        return found

    def sets(self) -> tuple[Set, ...]:
        """The sets of single indices, then those of tuples, each in order of making."""
        return (*self._sets.values(), *self._products)

    def table(self, concepts: Sequence[Concept], fields: list[Ints]) -> TupleTable:
        """The table of the distinct tuples of some fields, sorted."""
        at = firsts(fields, len(fields[0]))
        keys = [field[at] for field in fields]
        numbers = tuple(self._number(concept) for concept in concepts)
        known = (*numbers, *(key.tobytes() for key in keys))
        if known not in self._tables:
            only = self.set_of(concepts[0], keys[0]) if len(keys) == 1 else None
            if known not in self._tables:
                self._put_table(numbers, concepts, keys, only)
        return self._tables[known]

    def arranged(self, concepts: list[Concept], fields: list[Ints]) -> tuple[int, ...]:
        """The order of some fields in which their table is there already, or else their own."""
        own = tuple(range(len(fields)))
        for way in permutations(own) if 1 < len(own) <= _TURNED else ():
            numbers = tuple(self._number(concepts[k]) for k in way)
            if any(known[: len(own)] == numbers for known in self._tables):
                mine = [fields[k] for k in way]
                at = firsts(mine, len(fields[0]))
                if (*numbers, *(field[at].tobytes() for field in mine)) in self._tables:
                    return way
        return own

    def parameter(
        self, role: str, name: str, concepts: list[Concept], fields: list[Ints], values: Array,
        default: float | None = None,
    ) -> str:  # fmt: skip
        """A function of indices as a column; the same numbers in the same table are kept once."""
        at = firsts(fields, len(fields[0]))
        table = self.table(concepts, fields)
        mine = values[at]
        known = f"{table.name} {default} {mine.dtype.kind}", mine.tobytes()
        same = self._known.get(known)
        if (
            same
            and len(np.unique(mine)) > 1
            and not (_SIDE in role and same.meaning.startswith(_OF_COLUMNS))
        ):
            return same.name
        made = self.name(name)
        self.arrays[table.file][made] = mine
        found = Parameter(made, role, "", table.parts, table.file, table.key, default)
        self.sources[made] = table.name
        self._known[known] = found
        self.parameters.append(found)
        return made

    def scalar(self, role: str, name: str, value: float, kind: str) -> str:
        """The name of a number; one for each value and kind of use."""
        known = kind, value
        if known not in self._scalars:
            self._scalars[known] = made = self.name(name)
            self.parameters.append(Parameter(made, role))
            self.arrays.setdefault(PARAMETERS, {})[made] = np.array([value])
        return self._scalars[known]

    def element(self, concept: Concept, value: int) -> str:
        """An element of a concept in an expression: a number, or a word."""
        return repr(self.words[value]) if concept.words else str(value)

    def _file(self, name: str) -> str:
        """A file of data named for a table; names that differ in case only get a number."""
        number, stem = 2, name
        while stem.lower() in self._files:
            stem, number = f"{name}_{number}", number + 1
        self._files.add(stem.lower())
        return stem

    def _number(self, concept: Concept) -> int:
        return self._concepts.setdefault(concept, len(self._concepts))

    def _put_table(
        self, numbers: tuple[int, ...], concepts: Sequence[Concept], keys: list[Ints],
        only: Set | None,
    ) -> None:  # fmt: skip
        letters: list[str] = []
        for concept in concepts:
            letters.append(concept.letter(letters))
        own = tuple(one.name for one in ([only] if only else map(self.set_of, concepts)))
        name = only.name if only else self.name("".join(own))
        file = only.table if only and only.table != SETS else self._file(name)
        found = TupleTable(name, file, tuple(letters), own)
        self._tables[(*numbers, *(key.tobytes() for key in keys))] = found
        self.arrays[file] = {
            letter: key.astype(np.uint32) if concept.words else key
            for letter, key, concept in zip(letters, keys, concepts, strict=True)
        }
        rule = self._rule(concepts, keys, letters, name) if len(keys) == 2 else ""
        if len(keys) > 1:
            many = f"{len(keys[0])} {'tuple' if len(keys[0]) == 1 else 'tuples'}{rule}"
            self._products.append(Set(name, name, many, file, found.key, parts=own))

    def _rule(
        self, concepts: Sequence[Concept], keys: list[Ints], letters: list[str], name: str
    ) -> str:
        """How two tables or functions that are there already say a table of pairs."""
        of, to = concepts
        pairs = np.stack(keys, 1)
        known = [
            PairStep(
                one.of, one.to, np.stack([one.keys, one.values], 1), f"{{1}} = {one.name}[{{0}}]"
            )
            for one in self.functions
        ]
        found = path(pairs, of, to, [*self._steps, *known])
        self._steps.append(PairStep(of, to, pairs, f"({{0}}, {{1}}) in {name}"))
        if found is None:
            return ""
        middle = found[0].to.letter(letters)
        first = found[0].text.format(letters[0], middle)
        then = found[1].text.format(middle, letters[1])
        return f" {tuple_of(letters)} with {first} and {then} for some {middle}"


def _elements(values: Ints, words: bool) -> str:
    """From the first to the last, in steps of more than one too; or how many there are."""
    if not words and int(values[-1]) - int(values[0]) + 1 == len(values):
        return f"numbers {values[0]} to {values[-1]}"
    step = int(values[1] - values[0]) if len(values) > 2 else 0
    if words or step < 2 or not (np.diff(values) == step).all():
        return f"{len(values)} {'member' if len(values) == 1 else 'members'}"
    return f"numbers {values[0]}, {values[1]}, ..., {values[-1]}"
