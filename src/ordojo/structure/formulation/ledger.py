"""Names, index sets, tables and parameters as they come up, each kept once."""

import keyword
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from ordojo.core.errors import DataError
from ordojo.structure.abstraction.relations import joined, turned
from ordojo.structure.abstraction.tables import Array
from ordojo.structure.flat import Ints
from ordojo.structure.formulation.concepts import Concept
from ordojo.structure.formulation.functions import Function
from ordojo.structure.formulation.spec import IndexSet, Parameter, Table
from ordojo.structure.formulation.units import firsts

_OWN = (
    "Model,model,terms,given,rows,sets,scalars,inf,read,tuples,column,group_by,defaultdict,range,"
    "int,float,str"
)
RESERVED = frozenset(re.split(",", _OWN))
"""Names that the programs use for themselves."""


class Names:
    """Gives out names; `chosen` renames, by the names given without it."""

    def __init__(self, chosen: Mapping[str, str]) -> None:
        self._chosen = dict(chosen)
        self._given = frozenset(chosen.values())
        self._used: dict[str, str] = {}

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
        number = 1
        while f"{letter}{number}" in self._used:
            number += 1
        return f"{letter}{number}"

    def _free(self, wanted: str, used: set[str]) -> str:
        if wanted not in used and self._valid(wanted):
            return wanted
        number = 2
        while f"{wanted}_{number}" in used:
            number += 1
        return f"{wanted}_{number}"

    @staticmethod
    def _valid(name: str) -> bool:
        return not keyword.iskeyword(name) and name not in RESERVED


_LEAST, _MOST = 4, 12
"""The shortest table that is worth it, and the most others that are tried."""


@dataclass(frozen=True, eq=False)
class Step:
    """Pairs of indices, in order; `text` says of two letters that they are one."""

    of: Concept
    to: Concept
    pairs: Ints
    text: str

    def turned(self) -> "Step":
        """From the second index to the first."""
        return Step(self.to, self.of, turned(self.pairs), self.text.format("{1}", "{0}"))


def path(pairs: Ints, of: Concept, to: Concept, steps: Sequence[Step]) -> tuple[Step, Step] | None:
    """Two steps that lead from each first index to its second ones and to no others."""
    if len(pairs) < _LEAST or of is to:
        return None
    some = pairs[pairs[:, 0] == pairs[0, 0]]
    ways = [way for one in steps[:_MOST] for way in (one, one.turned())]
    for first in (way for way in ways if way.of is of):
        begin = first.pairs[first.pairs[:, 0] == pairs[0, 0]]
        for then in (way for way in ways if way.of is first.to and way.to is to):
            likely = np.array_equal(joined(begin, then.pairs, len(some)), some)
            if likely and np.array_equal(joined(first.pairs, then.pairs, len(pairs)), pairs):
                return first, then
    return None


_TURNED = 3
"""Tables of at most so many indices are looked for in every order."""


class Ledger(Names):
    """Keeps what is made under the names that it gives out."""

    def __init__(self, chosen: Mapping[str, str], symbols: Sequence[str] = ()) -> None:
        super().__init__(chosen)
        self.symbols = symbols
        self._files: set[str] = {"sets", "parameters"}
        self._sets: dict[tuple[int, bytes], IndexSet] = {}
        self._main: dict[int, IndexSet] = {}
        self._tables: dict[tuple[object, ...], Table] = {}
        self._concepts: list[Concept] = []
        self._scalars: dict[tuple[str, float], str] = {}
        self._known: dict[tuple[str, bytes], Parameter] = {}
        self.arrays: dict[str, dict[str, Array]] = {}
        self.domains: set[str] = set()
        self.parameters: list[Parameter] = []
        self.functions: list[Function] = []
        self._steps: list[Step] = []

    def file(self, name: str) -> str:
        """A file of data named for a table; names that differ in case only get a number."""
        number, stem = 2, name
        while stem.lower() in self._files:
            stem, number = f"{name}_{number}", number + 1
        self._files.add(stem.lower())
        return f"data/{stem}.csv"

    def set_of(self, concept: Concept, values: Ints | None = None) -> IndexSet:
        """The set of some (or all) values of a concept."""
        number = self._number(concept)
        key = number, (concept.values if values is None else values).tobytes()
        if key in self._sets:
            return self._sets[key]
        whole = values is None or np.array_equal(values, concept.values)
        mine = concept.values if values is None else values
        wide = None if whole else self.set_of(concept)
        parts = sum(one.within == wide.name for one in self._sets.values()) if wide else 0
        own = concept.letters[0].upper()
        name = self.name(
            f"{wide.name}{parts + 1}" if wide else own, f"{own}{parts + 1}" if wide else own
        )
        low, high = int(mine[0]), int(mine[-1])
        dense = not concept.words and high - low + 1 == len(mine)
        found = IndexSet(
            name=name,
            letter=concept.letters[0],
            size=len(mine),
            first=low if dense else None,
            last=high if dense else None,
            words=concept.words,
            file="data/sets.csv" if dense else self.file(name),
            within=wide.name if wide else "",
        )
        self._sets[key] = found
        if not dense:
            self._put_table((number,), (concept,), [mine], found)
        return found

    def sets(self) -> list[IndexSet]:
        """All sets, in order of making."""
        return list(self._sets.values())

    def _number(self, concept: Concept) -> int:
        if concept not in self._concepts:
            self._concepts.append(concept)
        return self._concepts.index(concept)

    def table(self, concepts: list[Concept], fields: list[Ints]) -> Table:
        """The table of the distinct tuples of some fields, sorted."""
        at = firsts(fields, len(fields[0]))
        keys = [field[at] for field in fields]
        numbers = tuple(self._number(concept) for concept in concepts)
        known = (*numbers, *(key.tobytes() for key in keys))
        if known in self._tables:
            return self._tables[known]
        only = self.set_of(concepts[0], keys[0]) if len(keys) == 1 else None
        if known in self._tables:
            return self._tables[known]
        return self._put_table(numbers, tuple(concepts), keys, only)

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

    def _put_table(
        self, numbers: tuple[int, ...], concepts: tuple[Concept, ...], keys: list[Ints],
        only: IndexSet | None,
    ) -> Table:  # fmt: skip
        letters: list[str] = []
        for concept in concepts:
            letters.append(concept.letter(letters))
        own = [only] if only else [self.set_of(concept) for concept in concepts]
        name = only.name if only else self.name("".join(one.name for one in own))
        listed = only is not None and only.first is None
        file = only.file if only and listed else self.file(name)
        rule = self._rule(concepts, keys, letters, name) if len(keys) == 2 else ""
        found = Table(
            name,
            file,
            tuple(letters),
            tuple(one.name for one in own),
            len(keys[0]),
            (),
            False,
            rule,
        )
        self._tables[(*numbers, *(key.tobytes() for key in keys))] = found
        self.arrays[name] = dict(zip(letters, keys, strict=True))
        return found

    def _rule(
        self, concepts: tuple[Concept, ...], keys: list[Ints], letters: list[str], name: str
    ) -> str:
        """How two tables or functions that are there already say a table of pairs."""
        of, to = concepts
        pairs = np.stack(keys, 1)
        known = [
            Step(one.of, one.to, np.stack([one.keys, one.values], 1), f"{{1}} = {one.name}[{{0}}]")
            for one in self.functions
        ]
        found = path(pairs, of, to, [*self._steps, *known])
        self._steps.append(Step(of, to, pairs, f"({{0}}, {{1}}) in {name}"))
        if found is None:
            return ""
        middle = found[0].to.letter(letters)
        first = found[0].text.format(letters[0], middle)
        return f"{first} and {found[1].text.format(middle, letters[1])} for some {middle}"

    def tables(self) -> list[Table]:
        """All tables, with the columns that they got."""
        return [
            Table(
                t.name, t.file, t.keys, t.sets, t.rows,
                tuple(key for key in self.arrays[t.name] if key not in t.keys),
                t.name in self.domains, t.rule,
            )
            for t in self._tables.values()
        ]  # fmt: skip

    def parameter(
        self, role: str, name: str, concepts: list[Concept], fields: list[Ints], values: Array,
        default: float | None = None,
    ) -> Parameter:  # fmt: skip
        """A function of indices as a column; the same numbers in the same table are kept once."""
        at = firsts(fields, len(fields[0]))
        table = self.table(concepts, fields)
        mine = values[at]
        known = f"{table.name} {default} {mine.dtype.kind}", mine.tobytes()
        if known in self._known and len(np.unique(mine)) > 1:
            return self._known[known]
        made = self.name(name)
        self.arrays[table.name][made] = mine
        found = Parameter(made, role, table.file, made, table.name, table.sets, default=default)
        self._known[known] = found
        self.parameters.append(found)
        return found

    def scalar(self, role: str, name: str, value: float, kind: str) -> str:
        """The name of a number; one for each value and kind of use."""
        known = kind, value
        if known not in self._scalars:
            made = self.name(name)
            self._scalars[known] = made
            file = "data/parameters.csv"
            self.parameters.append(Parameter(made, role, file, "value", "", value=value))
        return self._scalars[known]
