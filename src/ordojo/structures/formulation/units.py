"""Groups and families with their index fields, and the entries that they have of each other.

A `Unit` is read from an abstraction (`read_units`): a name, and the indices that matter. A `Part`
has the entries of one term. A family without indices of its own may `adopt` those of its variables,
where each row has equally few: its first, second, ... column (`slots`), chained where an index of
one is another of the next. `function_of` and `line_of` say a vector by fewer indices.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations, permutations

import numpy as np

from ordojo.structures.abstraction.abstract import Abstraction
from ordojo.structures.abstraction.naming import decode_names
from ordojo.structures.abstraction.relations import Sides
from ordojo.structures.abstraction.tables import Array
from ordojo.structures.abstraction.terms import Block
from ordojo.structures.arrays import bits_of, codes, firsts, is_function
from ordojo.structures.flat import Floats, Ints, Mask, NameBuffer
from ordojo.structures.indices import WORD, beginning

MOST_OF = 3
"""A function is sought of at most so many indices, or of all: the subsets grow fast. With 1 the
formulations of 117 models take 10% more numbers, with 2 as many as with 3."""
_SAMPLE = 2000
"""Members that a function is tried on first; time only."""


def function_of(vector: Array, fields: list[Ints]) -> tuple[tuple[int, ...], int] | None:
    """The indices, with the fewest tuples, that a vector depends on, and how many tuples.

    None where it is a function of no few of them (all of them together are not tried).
    """
    size = len(vector)
    bits = bits_of(vector)
    step = max(1, size // _SAMPLE)
    whole = len(fields)
    for width in range(1, min(MOST_OF, whole - 1) + 1):
        found: list[tuple[int, tuple[int, ...]]] = []
        for which in combinations(range(whole), width):
            mine = [fields[k] for k in which]
            if step > 1:
                some = slice(None, None, step)
                few = codes([field[some] for field in mine], len(bits[some]))
                if not is_function(bits[some], few):
                    continue
            key = codes(mine, size)
            if is_function(bits, key):
                found.append((len(np.unique(key)), which))
        if found:
            count, which = min(found)
            return which, count
    return None


def line_of(vector: Array, field: Ints) -> tuple[int, int] | None:
    """(step, start) where a vector is a whole line through an index of four values or more."""
    if len(vector) < 4 or vector.dtype.kind not in "fi":
        return None
    low, high = int(np.argmin(field)), int(np.argmax(field))
    run = int(field[high]) - int(field[low])
    if run < 3:
        return None
    with np.errstate(invalid="ignore"):
        step = float(vector[high] - vector[low]) / run
    if not np.isfinite(step) or step == 0 or step != np.trunc(step) or abs(step) > 2**31:
        return None
    start = float(vector[low]) - step * float(field[low])
    if start != np.trunc(start) or abs(start) > 2**53 or len(np.unique(field[:64])) < 4:
        return None
    line = (field * int(step) + int(start)).astype(vector.dtype)
    return (int(step), int(start)) if line.tobytes() == vector.tobytes() else None


def _factors(which: tuple[int, ...], fields: list[Ints], size: int) -> list[tuple[int, ...]]:
    """The finest split of some fields into parts whose tuples all occur together."""
    count = len(firsts([fields[k] for k in which], size))
    for width in range(1, len(which) // 2 + 1):
        for part in combinations(which, width):
            rest = tuple(k for k in which if k not in part)
            one = len(firsts([fields[k] for k in part], size))
            other = len(firsts([fields[k] for k in rest], size))
            if one * other == count:
                both = [*_factors(part, fields, size), *_factors(rest, fields, size)]
                return sorted(both)
    return [which]


_HINT = re.compile(r"(?:^|[^A-Za-z])([A-Za-z])$")
GENERIC = frozenset({"R", "C", "c", "r", "x", "X", ""})
"""Names that say nothing, if a running number follows."""


@dataclass(eq=False)
class Unit:
    """A group or family: `fields` index its `items` (MPS columns or rows) without repetition.

    `hints` are letters that stand before an index in the names ("" for none). `constants` are index
    values that all members share. `factors` are the fields that loop together, once `arrange` put
    them in the order of loops. `named`: the fields are those of the names. `weak`: the names say
    nothing, so other indices may be better.
    """

    name: str
    spelled: str
    items: Ints
    fields: list[Ints]
    words: list[bool]
    hints: list[str]
    named: bool
    weak: bool
    constants: list[str] = field(default_factory=list)
    factors: list[tuple[int, ...]] = field(default_factory=list)

    @property
    def size(self) -> int:
        """The number of members."""
        return len(self.items)

    def arrange(self) -> None:
        """Put the fields in the order of the loops over them: those of one table together."""
        which = tuple(range(len(self.fields)))
        self.factors = _factors(which, self.fields, self.size) if which else []
        order = [k for which in self.factors for k in which]
        self.fields = [self.fields[k] for k in order]
        self.words = [self.words[k] for k in order]
        self.hints = [self.hints[k] for k in order]
        places = {k: at for at, k in enumerate(order)}
        self.factors = [tuple(places[k] for k in which) for which in self.factors]

    def number(self) -> None:
        """Index the members by 1, 2, ... alone."""
        count = [np.arange(1, self.size + 1)] if self.size > 1 else []
        self.fields, self.words, self.hints = count, [False] * len(count), [""] * len(count)
        self.named = False


def read_units(abstraction: Abstraction, side: str) -> list[Unit]:
    """All "groups" (or "families") of an abstraction."""
    found, symbols = [], abstraction.structure["symbols"]
    for spec, items in zip(
        abstraction.structure[side], abstraction.members(side).items, strict=True
    ):
        names, fields = decode_names(spec["names"], len(items), abstraction.tables, symbols)
        if spec["names"]["kind"] == "list":
            found.append(_listed(names, items))
        else:
            found.append(_spelled(spec["names"]["pieces"], fields, items, symbols))
    return found


def _listed(names: NameBuffer, items: Ints) -> Unit:
    if len(items) == 1:
        text = names.text(0)
        return Unit(identifier(text), text, items, [], [], [], True, False)
    some = np.unique(np.linspace(0, len(items) - 1, min(len(items), 500)).astype(np.int64))
    prefix = beginning([names.text(int(k)) for k in some])
    number = [np.arange(1, len(items) + 1)]
    name = identifier(prefix)
    return Unit(name, prefix + "...", items, number, [False], [""], False, True)


def _spelled(pieces: list[str | int], fields: list[Ints], items: Ints, symbols: list[str]) -> Unit:
    text, spelled = "", ""
    words: list[bool] = []
    hints: list[str] = []
    heads: list[str] = []
    for piece in pieces:
        if isinstance(piece, str):
            text += piece
            spelled += piece
            continue
        spelled += "{}"
        hint = _HINT.search(text)
        hints.append(hint.group(1).lower() if hint else "")
        words.append(piece == WORD)
        heads.append(text[: -len(hints[-1])] if hints[-1] and (heads or len(text) > 1) else text)
        text = ""
    name = identifier(heads[0]) if heads else identifier(text)
    kept = [k for k, one in enumerate(fields) if len(items) > 1 and (one != one[0]).any()]
    constants = [
        symbols[int(fields[k][0])] if words[k] else str(int(fields[k][0]))
        for k in range(len(fields))
        if k not in kept
    ]
    if kept and not heads[0].strip("_"):
        name = ""
    kept = _independent(fields, words, kept)
    mine = [fields[k] for k in kept]
    unit = Unit(
        name, spelled, items, mine, [words[k] for k in kept], [hints[k] for k in kept],
        True, False, constants,
    )  # fmt: skip
    if len(firsts(mine, len(items))) < len(items):
        unit.number()
    unit.weak = not unit.named or (len(kept) == 1 and name in GENERIC)
    return unit


def _independent(fields: list[Ints], words: list[bool], kept: list[int]) -> list[int]:
    """Without number fields that are another plus a constant."""
    found: list[int] = []
    for k in kept:
        steps = (fields[k] - fields[j] for j in found if words[j] == words[k])
        if not any(bool((step == step[0]).all()) for step in steps):
            found.append(k)
    return found


def identifier(text: str) -> str:
    """Letters, digits and single underscores, not beginning with a digit; "" where none is left."""
    plain = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_")
    return plain if plain[:1].isalpha() else f"_{plain}".strip("_") and f"n{plain}"


MOST_SLOTS = 4
"""Columns of a row that may each lend it an index. With 2 of 2,016 terms 3 more are lists of pairs,
with 8 there are 14 terms more for 247 numbers less."""
MOST_FIELDS = 5
"""Indices of one family, beyond which only those are kept that tell its rows apart; bounds the ways
that `relate.py` tries. With 3 the same."""


@dataclass(eq=False)
class Part:
    """The entries of one term, local to family and group, by row and then column."""

    family: Unit
    group: Unit
    row: Ints
    col: Ints
    value: Floats

    @property
    def left(self) -> list[Ints]:
        """The index fields of the rows."""
        return self.family.fields

    @property
    def right(self) -> list[Ints]:
        """The index fields of the columns."""
        return self.group.fields

    @property
    def block(self) -> Block:
        """The entries with the indices alone."""
        sides = Sides(self.left, self.right, (self.family.size, self.group.size))
        return Block(self.row, self.col, self.value, sides)

    def take(self, kept: Array) -> "Part":
        """Some of the entries, by a mask or by places."""
        return Part(self.family, self.group, self.row[kept], self.col[kept], self.value[kept])

    def split(self, masks: list[Mask]) -> list["Part"]:
        """The parts that masks tell apart, without empty ones."""
        return [self.take(mask) for mask in masks if mask.any()]


def adopt(unit: Unit, parts: list[Part]) -> list[Part] | None:
    """Give a family the indices of its variables, if those tell its rows apart; its parts anew.

    None, and nothing changed, where they do not.
    """
    # One part for each group and sign.
    signs = ((one, one.value > 0) for one in map(joined, by_group(parts)))
    whole = [new for one, plus in signs for new in one.split([plus, ~plus])]
    found: list[tuple[Ints, bool, str]] = []
    for part in whole:
        group = part.group
        for cols, _ in slots(part, unit.size):
            for k, one in enumerate(group.fields):
                _keep(found, one[cols], group.words[k], group.hints[k])
        for k, one in enumerate(group.fields):
            vector = _by_row(part, one, unit.size)
            if vector is not None:
                _keep(found, vector, group.words[k], group.hints[k])
    found = [one for one in found if (one[0] != one[0][0]).any()]
    fields = [one[0] for one in found]
    if not fields or len(firsts(fields, unit.size)) < unit.size:
        return None
    if len(fields) > MOST_FIELDS:
        found = _key(found, unit.size)
    unit.fields = [one[0] for one in found]
    unit.words = [one[1] for one in found]
    unit.hints = [one[2] for one in found]
    unit.named, unit.weak = False, False
    return [new for part in whole for new in _apart(part)]


def by_group(parts: list[Part]) -> Iterable[list[Part]]:
    """The parts of each group."""
    found: dict[Unit, list[Part]] = {}
    for part in parts:
        found.setdefault(part.group, []).append(part)
    return found.values()


def joined(parts: list[Part]) -> Part:
    """The parts of one family and one group as one, in order."""
    row, col, value = (
        np.concatenate([getattr(part, key) for part in parts]) for key in ("row", "col", "value")
    )
    return Part(parts[0].family, parts[0].group, row, col, value).take(np.lexsort((col, row)))


def slots(part: Part, size: int) -> list[tuple[Ints, Floats]]:
    """The first, second, ... column of each row with its value, where all have equally few."""
    count, rest = divmod(len(part.row), size)
    if rest or not 0 < count <= MOST_SLOTS:
        return []
    shape = size, count
    if not (part.row.reshape(shape) == np.arange(size)[:, None]).all():
        return []
    cols = part.col.reshape(shape)
    order = _chain(cols, part.group)
    cols = np.take_along_axis(cols, order, 1)
    values = np.take_along_axis(part.value.reshape(shape), order, 1)
    return [(np.ascontiguousarray(cols[:, k]), values[:, k].copy()) for k in range(count)]


def _chain(cols: Ints, group: Unit) -> Ints:
    """Each row's columns so that an index of one is another index of the next: x[i, j], x[j, k].

    As they are, where no two indices do this for all rows.
    """
    plain = np.tile(np.arange(cols.shape[1]), (len(cols), 1))
    for c, b in combinations(range(len(group.fields)), 2):
        if cols.shape[1] < 2 or group.words[b] != group.words[c]:
            continue
        ends, begins = group.fields[b][cols], group.fields[c][cols]
        order, open_ = plain.copy(), np.ones(len(cols), bool)
        for way in permutations(range(cols.shape[1])):
            fits = (ends[:, way[:-1]] == begins[:, way[1:]]).all(1) & open_
            order[fits], open_ = way, open_ & ~fits
        if not open_.any():
            return order
    return plain


def _by_row(part: Part, one: Ints, size: int) -> Ints | None:
    """An index of the columns where it is the same for all of a row, for all rows."""
    vector = np.zeros(size, np.int64)
    seen = np.zeros(size, bool)
    vector[part.row], seen[part.row] = one[part.col], True
    return vector if seen.all() and bool((vector[part.row] == one[part.col]).all()) else None


def _keep(found: list[tuple[Ints, bool, str]], vector: Ints, words: bool, hint: str) -> None:
    for other, wordy, _ in found:
        shift = vector - other
        if wordy == words and bool((shift == shift[0]).all()) and not (words and shift[0]):
            return
    found.append((vector, words, hint))


def _key(found: list[tuple[Ints, bool, str]], size: int) -> list[tuple[Ints, bool, str]]:
    """The first fields that tell the rows apart."""
    kept: list[tuple[Ints, bool, str]] = []
    count = 1
    for one in found:
        more = len(firsts([*(k[0] for k in kept), one[0]], size))
        if more > count:
            kept.append(one)
            count = more
        if count == size:
            break
    return kept


def _apart(part: Part) -> list[Part]:
    """A part as slots bound to the new indices, or as it is."""
    found = slots(part, part.family.size)
    if len(found) > 1 and all(_bound(cols, part.family, part.group) for cols, _ in found):
        every = np.arange(part.family.size)
        return [Part(part.family, part.group, every, *slot) for slot in found]
    return [part]


def _bound(cols: Ints, unit: Unit, group: Unit) -> bool:
    for k, one in enumerate(group.fields):
        shifts = (
            one[cols] - own
            for own, w in zip(unit.fields, unit.words, strict=True)
            if w == group.words[k]
        )
        if not any(bool((shift == shift[0]).all()) for shift in shifts):
            return False
    return True
