"""Terms and values over letters: a sum under conditions; a number, a line, or a parameter.

A vector over members is said as one number, as a line through one index, or as a parameter of as
few indices as it is a function of.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ordojo.structure.abstraction.tables import Array
from ordojo.structure.arrays import codes, is_function
from ordojo.structure.flat import Floats, Ints
from ordojo.structure.formulation.relate import Mask, Relation
from ordojo.structure.formulation.spec import (
    Condition,
    Group,
    Subscript,
    Term,
    Value,
    expression,
    shortest,
)
from ordojo.structure.formulation.symbols import Concept, Function, SymbolTable, stated
from ordojo.structure.formulation.units import Part, Unit, function_of, line_of

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
    keys: tuple[int, ...] = (), index: bool = False,
) -> Value:  # fmt: skip
    """How a vector is said over its letters.

    `keys` are letters of a table that stands there anyway. `index`: the values are indices, where
    numbers are no data; else numbers other than 0, 1 and -1 are parameters.
    """
    if not len(vector):
        return Value("number")
    if bool((_bits(vector) == _bits(vector)[0]).all()):
        return _constant(float(vector[0]), symbols, role, name, index)
    for letter in letters:
        line = None if letter.concept.words else line_of(vector, letter.values)
        if line and (index or line[1] == 0 or abs(line[0]) == 1):
            return Value("affine", float(line[1]), of=(letter.text,), step=line[0])
    fields = [letter.values for letter in letters]
    found = function_of(_bits(vector), fields)
    if keys and (found is None or len(found[0]) > 1):
        some = codes([fields[k] for k in keys], len(vector))
        if is_function(_bits(vector), some) and (
            found is None or found[1] > len(np.unique(some)) / 2
        ):
            found = keys, 0
    sign = 1
    if vector.dtype.kind in "fi" and not index and bool((vector < 0).all()):
        sign, vector = -1, -vector
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
    return Value("parameter", parameter=made.name, of=tuple(one.text for one in which), sign=sign)


def index_of(
    vector: Ints, letters: list[Letter], to: Concept, symbols: SymbolTable, role: str, name: str
) -> Value:
    """A vector of indices over letters: a parameter, or one's value at another's, if stated."""
    found = function_of(vector, [one.values for one in letters])
    which = [letters[k] for k in found[0]] if found else letters
    if len(which) == 1:
        one = which[0]
        names = stated(vector, one.values, one.concept, to, symbols.functions)
        if names:
            of = one.text if len(names) == 1 else f"{names[0]}[{one.text}]"
            return Value("parameter", parameter=names[-1], of=(of,))
    made = symbols.parameter(
        role, name, [one.concept for one in which], [one.values for one in which],
        vector.astype(np.uint32 if to.words else np.int64),
    )  # fmt: skip
    if len(which) == 1:
        keys, at = np.unique(which[0].values, return_index=True)
        symbols.functions.append(Function(made.name, which[0].concept, to, keys, vector[at]))
    return Value("parameter", parameter=made.name, of=tuple(one.text for one in which))


def _constant(value: float, symbols: SymbolTable, role: str, name: str, index: bool) -> Value:
    if index or value in _LITERAL:
        return Value("number", value)
    sign = -1 if value < 0 else 1
    digits = shortest(abs(value)).partition("e")[0].replace(".", "").strip("0")
    kind = role.split(" of ")[0] if len(digits) >= _TELLING else role
    made = symbols.scalar(role, name, abs(value), kind)
    return Value("parameter", parameter=made, sign=sign)


def _default(vector: Array) -> float | None:
    """The commonest of the plain numbers, where nearly all are it."""
    bits = vector.view(np.int64)
    values, counts = np.unique(bits, return_counts=True)
    most = int(np.argmax(counts))
    value = float(values[most : most + 1].view(np.float64)[0])
    rare = len(vector) - int(counts[most])
    return value if rare < _RARE * len(vector) and value in _LITERAL else None


def _bits(vector: Array) -> Array:
    return vector.view(np.int64) if vector.dtype == np.float64 else vector


def term(
    part: Part, relation: Relation, family: Unit, group: Group,
    rows: list[Letter], cols: list[Letter], symbols: SymbolTable, name: str,
) -> Term:  # fmt: skip
    """The term of some entries, with the coefficients that they have."""
    at, inner, over = _subscripts(part, relation, family, rows, cols, symbols, name, group.name)
    where = tuple(_conditions(part, relation, rows, inner, symbols, name, group.name))
    letters = [one.take(part.row) for one in rows]
    letters += [one.take(part.col) for one in inner if one.text in over]
    keys: tuple[int, ...] = ()
    if relation.pairs:
        some, those = relation.pairs
        texts = [inner[b].text for b in those]
        keys = tuple(k for k, one in enumerate(letters) if k in some or one.text in texts)
    coefficient = say(
        part.value, letters, symbols, f"coefficient of {group.name} in {name}",
        f"coef_{name}_{group.name}", keys,
    )  # fmt: skip
    taking = family.size if relation.rows is None else int(relation.rows.sum())
    complete = not over and len(part.row) == taking
    return Term(group.name, coefficient, at, over, where, relation.kind, len(part.row), complete)


def given(
    part: Part, relation: Relation, values: Floats, family: Unit, group: Group,
    rows: list[Letter], cols: list[Letter], symbols: SymbolTable, name: str,
) -> tuple[Term, Value]:  # fmt: skip
    """The variable of an indicator constraint and the value under which the row holds."""
    found = term(part, relation, family, group, rows, cols, symbols, name)
    mine = [one.take(part.row) for one in rows]
    return found, say(values, mine, symbols, f"value of {group.name} for {name}", f"when_{name}")


def _subscripts(
    part: Part, r: Relation, family: Unit, rows: list[Letter], cols: list[Letter],
    symbols: SymbolTable, name: str, group: str,
) -> tuple[tuple[Subscript, ...], list[Letter], tuple[str, ...]]:  # fmt: skip
    """The index expressions, the same as letters over the group's members, and the free ones."""
    taken = {one.text for one in rows}
    at: list[Subscript] = []
    inner: list[Letter] = []
    over: list[str] = []
    for b, col in enumerate(cols):
        if b in r.bound:
            a, shift = r.bound[b]
            at.append(Subscript(rows[a].text, shift))
        elif b in r.fixed:
            word = symbols.words[r.fixed[b]] if col.concept.words else ""
            at.append(Subscript("", r.fixed[b], word=word))
        elif b in r.lookup:
            vector = r.lookup[b]
            kept = np.arange(family.size) if r.rows is None else np.flatnonzero(r.rows)
            made = index_of(
                vector[kept], [one.take(kept) for one in rows], col.concept, symbols,
                f"index {col.text} of {group} in {name}", f"{col.text}_{name}",
            )  # fmt: skip
            at.append(Subscript("", lookup=made.parameter, of=made.of))
        else:
            letter = col.concept.letter(taken)
            taken.add(letter)
            over.append(letter)
            at.append(Subscript(letter))
        inner.append(Letter(expression(at[-1]), col.concept, col.values))
    return tuple(at), inner, tuple(over)


def _conditions(
    part: Part,
    r: Relation,
    rows: list[Letter],
    inner: list[Letter],
    symbols: SymbolTable,
    name: str,
    group: str,
) -> Iterator[Condition]:
    if r.rows is not None:
        yield _masked(r.rows, rows, True, symbols)
    if r.cols is not None:
        yield _masked(r.cols, inner, False, symbols)
    if r.window:
        a, b, low, high = r.window
        lead, own = rows[a].values, inner[b].values
        free = int(lead.max()) + low <= int(own.min()), int(lead.min()) + high >= int(own.max())
        ends = [Value("affine", float(end), of=(rows[a].text,), step=1) for end in (low, high)]
        sides = [None if all_ else end for all_, end in zip(free, ends, strict=True)]
        yield Condition("between", (inner[b].text,), low=sides[0], high=sides[1])
    if r.modular:
        a, b, shift, step = r.modular
        yield Condition("modular", (rows[a].text, inner[b].text), shift=shift, modulus=step)
    for k, owner in r.owner.items():
        kept = np.unique(part.col)
        made = index_of(
            owner[kept], [one.take(kept) for one in inner], rows[k].concept, symbols,
            f"index {rows[k].text} of {name} in {group}", f"{rows[k].text}_{group}",
        )  # fmt: skip
        yield Condition("between", (rows[k].text,), low=made, high=made)
    if r.span:
        side, k, first, last = r.span
        of, others = (inner[k], rows) if side == "rows" else (rows[k], inner)
        ends = [
            _end(end, base, others, symbols, f"{word} {of.text} of {group} in {name}",
                 f"{word}_{name}_{group}")
            for word, end, base in zip(("first", "last"), (first, last), r.bases, strict=True)
        ]  # fmt: skip
        least = side == "rows" and int(first.max()) <= int(of.values.min())
        most = side == "rows" and int(last.min()) >= int(of.values.max())
        yield Condition(
            "between", (of.text,), low=None if least else ends[0], high=None if most else ends[1]
        )
    if r.pairs is not None:
        some, those = r.pairs
        letters = [rows[a].take(part.row) for a in some] + [inner[b].take(part.col) for b in those]
        yield _member(letters, not those, symbols)


def _end(
    end: Ints, base: int | None, letters: list[Letter], symbols: SymbolTable, role: str, name: str
) -> Value:
    """An end of an interval, as an index plus a number or parameter where it has a base."""
    if base is None:
        return say(end, letters, symbols, role, name, index=True)
    own = letters[base]
    rest = say(end - own.values, letters, symbols, f"{role} from {own.text} on", name, index=True)
    if rest.kind == "number":
        return Value("affine", rest.number, of=(own.text,), step=1)
    return Value("affine", 0.0, of=(own.text,), step=1, plus=rest)


def _masked(mask: Mask, letters: list[Letter], scope: bool, symbols: SymbolTable) -> Condition:
    """Those who take part: an interval of one index, or a table of tuples."""
    found = function_of(mask, [one.values for one in letters])
    which = [letters[k] for k in found[0]] if found else letters
    if len(which) == 1 and not which[0].concept.words:
        one = which[0]
        inside = np.unique(one.values[mask])
        every = np.unique(one.values)
        low, high = int(inside[0]), int(inside[-1])
        if int(((every >= low) & (every <= high)).sum()) == len(inside):
            ends = [
                None if end == edge and low != high else Value("number", float(end))
                for end, edge in ((low, int(every[0])), (high, int(every[-1])))
            ]
            return Condition("between", (one.text,), scope, low=ends[0], high=ends[1])
    return _member([one.take(mask) for one in which], scope, symbols)


def _member(letters: list[Letter], scope: bool, symbols: SymbolTable) -> Condition:
    """That the tuple is in a table; one that is there is used, in its order."""
    parts = [one.concept for one in letters], [one.values for one in letters]
    letters = [letters[k] for k in symbols.arranged(*parts)]
    table = symbols.table([one.concept for one in letters], [one.values for one in letters])
    return Condition("member", tuple(one.text for one in letters), scope, table.name)
