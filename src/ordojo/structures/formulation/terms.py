"""Terms and values over letters: a sum under conditions; a number, a line, or a parameter.

A vector over members is said as one number, as a line through one index, or as a parameter of as
few indices as it is a function of. A term is a sum over the set, table or group that says its
entries: relations between letters stand as tests, which `formulation.algebra` turns into look-ups.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ordojo.formulation.algebra import called, indices, loops, mentioned, parse, tuple_of
from ordojo.formulation.tables import shortest
from ordojo.formulation.terms import elements
from ordojo.structures.abstraction.tables import Array
from ordojo.structures.arrays import bits_of, codes, is_function, within
from ordojo.structures.flat import Ints, Mask
from ordojo.structures.formulation.relate import Relation
from ordojo.structures.formulation.spec import SMALL, Said, shifted
from ordojo.structures.formulation.symbols import Concept, Function, SymbolTable, stated
from ordojo.structures.formulation.units import Part, Unit, function_of, line_of

_LITERAL = (0.0, 1.0, -1.0, np.inf, -np.inf)
_TELLING = 3
"""Equal scalars of one role are one parameter, if they have so many digits: 2 and 5 are many
things, 37.25 is one. Names only, no number moves."""
_RARE = 0.4
"""Exceptions to a default may be at most this share. A default saves rows of a table and costs the
reader a clause: with 0.2 528,620 numbers become 535,886, with 0.8 527,006."""


@dataclass(frozen=True, eq=False)
class Letter:
    """An index expression with its concept and its value in each place."""

    text: str
    concept: Concept
    values: Ints

    def take(self, kept: Array) -> "Letter":
        """In some of the places."""
        return Letter(self.text, self.concept, self.values[kept])


def say(
    vector: Array, letters: list[Letter], symbols: SymbolTable, role: str, name: str,
    keys: tuple[int, ...] = (), index: bool = False, moves: bool = False,
) -> Said:  # fmt: skip
    """How a vector is said over its letters.

    `keys` are letters of a table that stands there anyway. `index`: the values are indices, where
    numbers are no data; else numbers other than 0, 1 and -1 are parameters. `moves`: a reader finds
    it on the side where it is positive, and there it is neither less nor more than its size.
    """
    if not len(vector):
        return Said("0")
    bits = bits_of(vector)
    if bool((bits == bits[0]).all()):
        return _constant(float(vector[0]), symbols, role, name, index)
    for letter in letters:
        line = None if letter.concept.words else line_of(vector, letter.values)
        if line and (index or line[1] == 0 or abs(line[0]) == 1):
            return _line(letter.text, *line)
    fields = [letter.values for letter in letters]
    found = function_of(bits, fields)
    if keys and (found is None or len(found[0]) > 1):
        some = codes([fields[k] for k in keys], len(vector))
        if is_function(bits, some) and (found is None or found[1] > len(np.unique(some)) / 2):
            found = keys, 0
    minus = False
    if vector.dtype.kind in "fi" and not index and bool((vector < 0).all()):
        minus, vector = True, -vector
        role = f"{'size' if moves else 'negative'} of the {role}"
    default: float | None = None
    if found is None:
        found = tuple(range(len(letters))), 0
        if vector.dtype == np.float64:
            default = _default(vector)
    which = [letters[k] for k in found[0]]
    if default is not None:
        rare = vector.view(np.int64) != np.float64(default).view(np.int64)
        vector, which = vector[rare], [letter.take(rare) for letter in which]
    kept = vector if index or vector.dtype.kind in "Uf" else vector.astype(np.float64)
    made = symbols.parameter(
        role, name, [one.concept for one in which], [one.values for one in which], kept, default
    )
    return Said(called(made, tuple(one.text for one in which)), minus)


def index_of(
    vector: Ints, letters: list[Letter], to: Concept, symbols: SymbolTable, role: str, name: str
) -> str:
    """A vector of indices over letters: a parameter, or one's value at another's, if stated."""
    found = function_of(vector, [one.values for one in letters])
    which = [letters[k] for k in found[0]] if found else letters
    if len(which) == 1:
        one = which[0]
        names = stated(vector, one.values, one.concept, to, symbols.functions)
        if names:
            text = one.text
            for outer in names:
                text = f"{outer}[{text}]"
            return text
    made = symbols.parameter(
        role, name, [one.concept for one in which], [one.values for one in which],
        vector.astype(np.uint32 if to.words else np.int64),
    )  # fmt: skip
    if len(which) == 1:
        keys, at = np.unique(which[0].values, return_index=True)
        symbols.functions.append(Function(made, which[0].concept, to, keys, vector[at]))
    return called(made, tuple(one.text for one in which))


def _constant(value: float, symbols: SymbolTable, role: str, name: str, index: bool) -> Said:
    if index or value in _LITERAL:
        return Said.number(value)
    digits = shortest(abs(value)).partition("e")[0].replace(".", "").strip("0")
    kind = role.split(" of ")[0] if len(digits) >= _TELLING else role
    return Said(symbols.scalar(role, name, abs(value), kind), value < 0)


def _line(letter: str, step: int, start: int) -> Said:
    """`step` times a letter plus `start`."""
    if step != 1:
        letter = letter if letter.isidentifier() else f"({letter})"
        letter = f"-{letter}" if step == -1 else f"{step} * {letter}"
    return Said(shifted(letter, start), line=True)


def _default(vector: Array) -> float | None:
    """The commonest of the plain numbers, where nearly all are it."""
    bits = vector.view(np.int64)
    values, counts = np.unique(bits, return_counts=True)
    most = int(np.argmax(counts))
    value = float(values[most : most + 1].view(np.float64)[0])
    rare = len(vector) - int(counts[most])
    return value if rare < _RARE * len(vector) and value in _LITERAL else None


def summed(body: str, scope: str, tests: Iterable[str] = ()) -> str:
    """A sum where there are loops, else what holds under the tests alone."""
    joined = " and ".join(tests)
    if scope:
        return f"sum({body} {scope}" + (f" if {joined})" if joined else ")")
    return f"({body} if {joined} else 0)" if joined else body


def signed(parts: Iterable[tuple[bool, str]]) -> str:
    """Parts, each with whether it is subtracted, as one expression."""
    text = "".join(f" {'-' if minus else '+'} {part}" for minus, part in parts)
    return (text[1:].replace("- ", "-", 1) if text[1:2] == "-" else text[3:]) or "0"


def domain(unit: Unit, letters: list[Letter], symbols: SymbolTable) -> str:
    """The loops over an index, their sets and tables made where they are not there yet."""
    found = []
    for which in unit.factors:
        mine = [letters[k] for k in which]
        if len(which) == 1:
            source = symbols.set_of(mine[0].concept, np.unique(mine[0].values)).name
        else:
            fields = [one.values for one in mine]
            source = symbols.table([one.concept for one in mine], fields).name
        found.append(f"for {tuple_of([one.text for one in mine])} in {source}")
    return " ".join(found)


@dataclass(eq=False)
class LetteredUnit:
    """A group or family with its name and the letters of its indices; a group's loops over them."""

    name: str
    unit: Unit
    letters: list[Letter]
    scope: str = ""


@dataclass(frozen=True)
class _Limit:
    """What restricts a term: a test, and the loop over `of` in `source` that may say it instead.

    kind "owner": the loop and the test are needed; "table": either; "range": the loop, unless its
    letter is known; "member": a test of a loop over the group's variables; "test": the test alone.
    """

    kind: str
    test: str
    of: tuple[str, ...] = ()
    source: str = ""


class LetteredTerm:
    """One term: its variable, the letters that are summed over, and what limits them."""

    def __init__(
        self, part: Part, relation: Relation, sides: Mapping[Unit, LetteredUnit],
        symbols: SymbolTable,
    ) -> None:  # fmt: skip
        self.part, self.relation, self.symbols = part, relation, symbols
        self.family, self.group = family, group = sides[part.family], sides[part.group]
        self.over: list[str] = []
        self.inner: list[Letter] = []
        taken = {one.text for one in family.letters}
        for b, column in enumerate(group.letters):
            text = self._index(b, column, taken)
            taken.add(text)
            self.inner.append(Letter(text, column.concept, column.values))
        self.at = [one.text for one in self.inner]
        self.variable = called(group.name, tuple(self.at))
        self.limits = list(self._limits())
        self.scope, self.tests = list[str](), list[str]()
        self.known = {text for text in self.at if text not in self.over}
        self.taken = {*self.over, *self.at, *indices(group.scope)}

    def told(self) -> tuple[bool, str]:
        """Whether the sum of the entries is subtracted, and its size."""
        coefficient = self.coefficient()
        return coefficient.minus, self.text(coefficient.times(self.variable))

    def given(self) -> str:
        """That the variable of an indicator constraint has the value under which the row holds."""
        self.coefficient()
        family = self.family
        mine = [one.take(self.part.row) for one in family.letters]
        role = f"value of {self.group.name} for {family.name}"
        when = say(self.part.value, mine, self.symbols, role, f"when_{family.name}")
        return self.text(f"{self.variable} == {when.whole}")

    def coefficient(self) -> Said:
        """What the variable is multiplied with."""
        part, rows = self.part, self.family.letters
        letters = [one.take(part.row) for one in rows]
        letters += [one.take(part.col) for one in self.inner if one.text in self.over]
        keys: tuple[int, ...] = ()
        if self.relation.pairs:
            some, those = self.relation.pairs
            texts = [self.at[b] for b in those]
            keys = tuple(k for k, one in enumerate(letters) if k in some or one.text in texts)
        role = f"coefficient of {self.group.name} in {self.family.name}"
        name = f"coef_{self.family.name}_{self.group.name}"
        return say(part.value, letters, self.symbols, role, name, keys, moves=True)

    def _index(self, b: int, column: Letter, taken: set[str]) -> str:
        """An index of the variable: one of the row, perhaps moved; fixed; looked up; or free."""
        r, rows, name = self.relation, self.family.letters, self.family.name
        if b in r.bound:
            a, shift = r.bound[b]
            return shifted(rows[a].text, shift)
        if b in r.fixed:
            return self.symbols.element(column.concept, r.fixed[b])
        if b in r.lookup:
            kept = np.arange(self.family.unit.size) if r.rows is None else np.flatnonzero(r.rows)
            role = f"index {column.text} of {self.group.name} in {name}"
            mine = [one.take(kept) for one in rows]
            short = f"{column.text}_{name}"
            return index_of(r.lookup[b][kept], mine, column.concept, self.symbols, role, short)
        self.over.append(column.concept.letter(taken))
        return self.over[-1]

    def _limits(self) -> Iterator[_Limit]:
        r, rows, inner, part = self.relation, self.family.letters, self.inner, self.part
        if r.rows is not None:
            yield from self._masked(r.rows, rows)
        if r.cols is not None:
            yield from self._masked(r.cols, inner)
        if r.window:
            a, b, low, high = r.window
            lead, own = rows[a].values, inner[b].values
            free = int(lead.max()) + low <= int(own.min()), int(lead.min()) + high >= int(own.max())
            ends = [None if all_ else shifted(rows[a].text, end)
                    for all_, end in zip(free, (low, high), strict=True)]  # fmt: skip
            yield self._between(inner[b].text, *ends)
        if r.modular:
            a, b, shift, step = r.modular
            start = f"({rows[a].text} + {shift})" if shift else rows[a].text
            yield _Limit("member", f"{inner[b].text} % {step} == {start} % {step}")
        for k, owner in r.owner.items():
            yield self._owner(rows[k], owner)
        if r.span:
            side, k, first, last = r.span
            of, others = (inner[k], rows) if side == "rows" else (rows[k], inner)
            low_text, high_text = (
                self._end(word, end, base, of, others, first > last)
                for word, end, base in zip(("first", "last"), (first, last), r.bases, strict=True)
            )
            least = int(first.max()) <= int(of.values.min())
            most = side == "rows" and int(last.min()) >= int(of.values.max())
            yield self._between(of.text, None if least else low_text, None if most else high_text)
        if r.pairs is not None:
            some, those = r.pairs
            yield self._member([rows[a].take(part.row) for a in some]
                               + [inner[b].take(part.col) for b in those])  # fmt: skip

    def _owner(self, row: Letter, owner: Ints) -> _Limit:
        """That a row's index is what a parameter gives for the variable."""
        kept, group = np.unique(self.part.col), self.group.name
        text = index_of(
            owner[kept], [one.take(kept) for one in self.inner], row.concept, self.symbols,
            f"index {row.text} of {self.family.name} in {group}", f"{row.text}_{group}",
        )  # fmt: skip
        tree = parse(text)
        while isinstance(tree, ast.Subscript) and isinstance(tree.slice, ast.Subscript):
            tree = tree.slice
        test = f"{text} == {row.text}"
        if not isinstance(tree, ast.Subscript) or not set(mentioned(text)) & set(self.over):
            return _Limit("test", test)
        letters = tuple(map(ast.unparse, elements(tree.slice)))
        return _Limit("owner", test, letters, self.symbols.sources[ast.unparse(tree.value)])

    def _end(
        self, word: str, end: Ints, base: int | None, of: Letter, letters: list[Letter], none: Mask
    ) -> str:
        """An end of an interval, as an index plus a number or parameter where it has a base.

        `none`: where the interval is empty.
        """
        family, group = self.family.name, self.group.name
        role, name = f"{word} {of.text} of {group} in {family}", f"{word}_{family}_{group}"
        if base is None:
            missing = set(end[none].tolist())
            if len(missing) == 1 and missing <= SMALL.keys():
                role += f", {SMALL[missing.pop()]} where there is none"
            return say(end, letters, self.symbols, role, name, index=True).whole
        own = letters[base]
        steps = end - own.values
        if bool((steps == steps[0]).all()):
            return shifted(own.text, int(steps[0]))
        if bool((steps <= 0).all()):
            role = f"{role}, in steps before {own.text}"
            return (
                f"{own.text} - {say(-steps, letters, self.symbols, role, name, index=True).whole}"
            )
        role = f"{role} from {own.text} on"
        return f"{own.text} + {say(steps, letters, self.symbols, role, name, index=True).whole}"

    def _masked(self, mask: Mask, letters: list[Letter]) -> Iterator[_Limit]:
        """Those who take part: an interval of one index, or a table of tuples."""
        found = function_of(mask, [one.values for one in letters])
        which = [letters[k] for k in found[0]] if found else letters
        if not mentioned(*(one.text for one in which)):
            return  # the indices are numbers, for which it holds
        if len(which) == 1 and not which[0].concept.words:
            one = which[0]
            inside, every = np.unique(one.values[mask]), np.unique(one.values)
            low, high = int(inside[0]), int(inside[-1])
            if int(((every >= low) & (every <= high)).sum()) == len(inside):
                edges = int(every[0]), int(every[-1])
                ends = [None if end == edge and low != high else str(end)
                        for end, edge in zip((low, high), edges, strict=True)]  # fmt: skip
                yield self._between(one.text, *ends)
                return
        yield self._member([one.take(mask) for one in which])

    def _member(self, letters: list[Letter]) -> _Limit:
        """That the tuple is in a table; one that is there is used, in its order."""
        parts = [one.concept for one in letters], [one.values for one in letters]
        letters = [letters[k] for k in self.symbols.arranged(*parts)]
        concepts, values = [one.concept for one in letters], [one.values for one in letters]
        table = self.symbols.table(concepts, values).name
        texts = tuple(one.text for one in letters)
        kind = "table" if set(texts) & set(self.over) else "test"
        return _Limit(kind, f"{tuple_of(texts)} in {table}", texts, table)

    def _between(self, of: str, low: str | None, high: str | None) -> _Limit:
        ends = f"{of} <= {high}" if high is not None else of
        test = f"{low} <= {ends}" if low is not None else ends
        test = f"{low} == {of}" if low is not None and low == high else test
        if of in self.over:
            both = low is not None and high is not None
            return _Limit("range" if both else "test", test, (of,), f"range({low}, {high} + 1)")
        asked = set(mentioned(*(end for end in (low, high) if end))) & set(self.over)
        return _Limit("member" if asked else "test", test)

    def text(self, body: str) -> str:
        """The sum of a body over loops and under tests."""
        by = {kind: [one for one in self.limits if one.kind == kind]
              for kind in ("owner", "table", "range", "member", "test")}  # fmt: skip
        for of, source in dict.fromkeys((one.of, one.source) for one in by["owner"]):
            self._loop(of, source)
        self.tests += [one.test for one in by["owner"]]
        for one in by["table"]:
            if self.scope:
                self.tests.append(one.test)
            else:
                self._loop(one.of, one.source)
        for one in by["range"]:
            if one.of[0] in self.known:
                self.tests.append(one.test)
            else:
                self.scope.append(f"for {one.of[0]} in {one.source}")
                self.known.add(one.of[0])
        self._variables([one.test for one in by["member"]])
        self.tests += [one.test for one in by["test"]]
        return summed(body, " ".join(self.scope), self.tests)

    def _variables(self, tests: list[str]) -> None:
        """Loop over the group where letters or tests are left, or ask whether the variable is."""
        group, at = self.group, self.at
        if not tests and at and set(at) == set(self.over) - self.known:
            letter = dict(zip(indices(group.scope), at, strict=True))
            self.scope += [
                f"for {tuple_of([letter[k] for k in loop.indices])} in {loop.over}"
                for loop in loops(group.scope)
            ]
        elif tests or not set(at) <= self.known:
            self._loop(at, group.name)
            self.tests += tests
        elif at and not (self._there if self.scope else self._complete):
            self.tests.append(f"{tuple_of(at)} in {group.name}")

    @property
    def _complete(self) -> bool:
        """Whether every variable that the indices can name exists."""
        rows = self.relation.rows
        taking = self.family.unit.size if rows is None else int(rows.sum())
        return not self.over and len(self.part.row) == taking

    @property
    def _there(self) -> bool:
        """Whether what rows and loops name exists, in each set or table that the group is over."""
        rows = self.relation.rows
        taking = np.arange(self.family.unit.size) if rows is None else np.flatnonzero(rows)
        many = len(taking), self.group.unit.size
        listed = [{*one.of} for one in self.limits if one.kind == "table"]
        for which in self.group.unit.factors:
            texts = {self.at[b] for b in which}
            if texts & {*self.over}:
                if not any(texts <= of for of in listed):
                    return False
                continue
            if not within([(self._by_row(b, taking), self.inner[b].values) for b in which], *many):
                return False
        return True

    def _by_row(self, b: int, taking: Ints) -> Ints:
        """An index of the variable that each row gives."""
        if b in self.relation.bound:
            a, shift = self.relation.bound[b]
            return self.family.letters[a].values[taking] + shift
        if b in self.relation.lookup:
            return self.relation.lookup[b][taking]
        return np.full(len(taking), self.relation.fixed[b])

    def _loop(self, texts: Sequence[str], source: str) -> None:
        """A loop over elements, with letters of their own for what is known already."""
        own, equal = list[str](), list[str]()
        for text in texts:
            if text in self.over and text not in self.known:
                own.append(text)
                continue
            letter = f"{text}_" if text.isidentifier() else "k_"
            while letter in self.taken:
                letter += "_"
            self.taken.add(letter)
            own.append(letter)
            equal.append(f"{letter} == {text}")
        self.known |= set(own)
        self.scope.append(f"for {tuple_of(own)} in {source}")
        self.tests += equal
