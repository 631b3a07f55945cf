"""What is seen of a column or a row: its kind, its numbers, what it meets; and its name's template.

Without names: `column_kinds` to `meetings`. Of names: `templates` numbers what stays of them
without their indices (`spellings` where those are many), what writers made is taken away or joined
(`written`, `unpadded`, `untruncated`), and `meaningful` asks whether they say anything.
"""

import re

import numpy as np

from ordojo.structures.arrays import begins, numbered
from ordojo.structures.flat import CONTINUOUS, EQ, INTEGER, Bytes, Flat, Ints, Mask, NameBuffer

MAX_DENSE = 40_000_000
"""Cells of a table of looks, a byte each; beyond it the rarest classes count as one."""
GAP = 16
"""How many times as long as the next shorter row a row must be for another family. Halved or
doubled: no model of 46 changes; without it one budget row may join thousands of short ones."""
_BINARY, _FIXING = 4, 1 << 12
"""Codes of a kind beside the file's own types and senses."""


def column_kinds(flat: Flat) -> Ints:
    """Semi-continuous, continuous, integer, and what lies between 0 and 1, relaxed or not."""
    unit = flat.unit & (flat.types == CONTINUOUS)
    return np.where(unit, _BINARY, column_types(flat)).astype(np.int64)


def column_types(flat: Flat, statement: Ints | None = None) -> Ints:
    """The types, with binary apart from integer: one statement gives one of them.

    An integer fixed to 0 or 1 may have been either: it is what most integers of its statement are,
    by default of those that stand in as many rows of each sense.
    """
    types = np.where(flat.binary, _BINARY, flat.types).astype(np.int64)
    fixed = (flat.lower == flat.upper) & (flat.types == INTEGER)
    fixed &= (flat.lower == 0) | (flat.lower == 1)
    if fixed.any():
        if statement is None:
            how = flat.senses[flat.index] * 2.0 + (flat.value < 0)
            statement = numbered(np.bincount(flat.entry_cols, how, flat.n).astype(np.int64))
        votes = np.where(flat.binary, 1.0, -1.0) * ((flat.types == INTEGER) & ~fixed)
        own = np.bincount(statement, votes)[statement]
        types[fixed & (np.where(own == 0, votes.sum(), own) >= 0)] = _BINARY
    return types


def row_kinds(flat: Flat) -> Ints:
    """The sense, and whether a range widens it."""
    return flat.senses.astype(np.int64) * 2 + ~np.isnan(flat.ranges)


def fixings(flat: Flat) -> Mask:
    """Rows that fix one column."""
    alone = np.bincount(flat.index, minlength=flat.m) == 1
    return np.asarray((flat.senses == EQ) & alone)


def row_shapes(flat: Flat) -> Ints:
    """The kinds, with rows that fix one column apart, cut where the lengths leave a wide gap."""
    lengths = np.bincount(flat.index, minlength=flat.m)
    kinds = row_kinds(flat) + _FIXING * fixings(flat)
    order = np.lexsort((lengths, kinds))
    kind, length = kinds[order], np.maximum(lengths[order], 1)
    cut = np.zeros(len(kinds), np.int64)
    cut[1:] = (kind[1:] != kind[:-1]) | (length[1:] >= GAP * length[:-1])
    found = np.empty(len(kinds), np.int64)
    found[order] = np.cumsum(cut)
    return found


def numbers(flat: Flat, side: str) -> Mask:
    """Whether a row has a right-hand side; a column a cost, no lower bound, no upper bound."""
    if side == "rows":
        return np.asarray(flat.rhs != 0)[:, None]
    return np.stack([flat.objective != 0, np.isneginf(flat.lower), np.isposinf(flat.upper)], 1)


def meetings(flat: Flat, side: str, other: Ints) -> tuple[Mask, Mask, Mask]:
    """What each column ("cols") or row meets of the other side's classes, by sign.

    Three tables: whether at all, whether with a coefficient other than 1 and -1, whether more than
    once. Where that is too large, the rarest classes of the other side count as one. A row that
    fixes one column says nothing about the column.
    """
    key = other[flat.index if side == "cols" else flat.entry_cols] * 2 + (flat.value < 0)
    mine = (flat.entry_cols if side == "cols" else flat.index).astype(np.int64)
    odd = np.abs(flat.value) != 1
    count = flat.n if side == "cols" else flat.m
    fixing = fixings(flat)
    if side == "cols" and fixing.any():
        kept = ~fixing[flat.index]
        key, mine, odd = key[kept], mine[kept], odd[kept]
    width = int(key.max(initial=-1)) + 1
    if count * width > MAX_DENSE:
        width = max(1, MAX_DENSE // max(count, 1))
        frequent = np.argsort(-np.bincount(key), kind="stable")
        rank = np.full(len(frequent), width - 1, np.int64)
        rank[frequent[:width]] = np.arange(min(width, len(frequent)))
        key = rank[key]
    used = np.bincount(key, minlength=width) > 0
    if not used.all():
        key, width = (np.cumsum(used) - 1)[key], int(used.sum())
    cell = mine * width + key
    entry = np.arange(len(cell), dtype=np.int32)
    # What no cell points at is never looked at.
    last = np.empty(count * width, np.int32)
    last[cell] = entry
    found = [np.zeros((count, width), bool)]
    found[0].ravel()[cell] = True
    for chosen in (odd, last[cell] != entry):
        table = np.zeros(count * width, bool)
        table[cell[chosen]] = True
        used = np.bincount(key[chosen], minlength=width) > 0
        found.append(table.reshape(count, width)[:, used])
    return found[0], found[1], found[2]


def classes(fixed: Ints, looks: Mask) -> Ints:
    """Equal numbers for items that look the same, from 0 in order of appearance."""
    keys = fixed.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    packed = np.packbits(looks, axis=1)
    generator = np.random.Generator(np.random.PCG64(looks.shape[1] + 1))
    factors = generator.integers(0, 1 << 63, packed.shape[1], np.uint64) | np.uint64(1)
    for k, factor in enumerate(factors):
        keys += packed[:, k].astype(np.uint64) * factor
    return numbered(keys.view(np.int64))


_OPEN = b"[({"
_FEW = 24
"""With more templates than this, digits right behind the first word are an index after all: `x17`
and `x18` are one template, `demand1[i]` and `demand2[i]` two."""


def templates(names: NameBuffer) -> tuple[Ints, list[bytes]]:
    """A template's number for each name, and the templates, in order of appearance.

    A name with a bracket is its text before the bracket; otherwise each run of digits becomes `#`,
    but for those of a first word that takes few numbers and has indices behind it: `cut1_4_7`.
    """
    label, spelled = spellings(names)
    return label, spelled.to_list()


def spellings(names: NameBuffer) -> tuple[Ints, NameBuffer]:
    """As `templates`, which may be many."""
    if not len(names):
        return np.zeros(0, np.int64), names
    names = _unindexed(names)
    data, starts = names.buffer, names.starts
    digit = (data >= 48) & (data <= 57)
    owner = np.repeat(np.arange(len(names)), names.lengths)
    again = np.zeros(len(data), bool)
    again[1:] = digit[1:] & digit[:-1]
    again[starts[:-1][names.lengths > 0]] = False
    literal = _of_first_word(data, starts, digit, owner)
    numeral = digit & ~literal
    label, texts, first = _spelled(names, numeral, ~(again & numeral), owner)
    if len(first) > _FEW and literal.any():
        label, texts, first = _spelled(names, digit, ~again, owner)
    return label, texts.take(first)


def _unindexed(names: NameBuffer) -> NameBuffer:
    """The names up to their first bracket."""
    data, starts, ends = names.buffer, names.starts[:-1], names.starts[1:]
    opening = np.flatnonzero((data == _OPEN[0]) | (data == _OPEN[1]) | (data == _OPEN[2]))
    if not len(opening):
        return names
    place = np.minimum(np.searchsorted(opening, starts), len(opening) - 1)
    first = opening[place]
    ends = np.where((first >= starts) & (first < ends), first + 1, ends)
    shorter = np.concatenate([[0], np.cumsum(ends - starts)])
    shift = np.repeat(starts - shorter[:-1], ends - starts)
    return NameBuffer(data[np.arange(len(shift)) + shift], shorter)


def _spelled(
    names: NameBuffer, digit: Mask, kept: Mask, owner: Ints
) -> tuple[Ints, NameBuffer, Ints]:
    """The templates' numbers, each name's template, and where each stands first."""
    text = np.where(digit, np.uint8(35), names.buffer)[kept]
    mine = owner[kept]
    shorter = begins(mine, len(names))
    place = np.arange(len(text)) - shorter[mine]
    generator = np.random.Generator(np.random.PCG64(7))
    powers = generator.integers(1, 1 << 63, int(place.max(initial=0)) + 1, np.uint64) | np.uint64(1)
    with np.errstate(over="ignore"):
        terms = (text.astype(np.uint64) + np.uint64(1)) * powers[place]
        sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(terms)])
        found = sums[shorter[1:]] - sums[shorter[:-1]]
    label = numbered(found.view(np.int64))
    first = np.zeros(int(label.max()) + 1, np.int64)
    first[label[::-1]] = np.arange(len(label))[::-1]
    return label, NameBuffer(text, shorter), first


def _of_first_word(data: Bytes, starts: Ints, digit: Mask, owner: Ints) -> Mask:
    """Digits right behind the letters that a name begins with, where an index follows.

    What follows in `cut1_4` is an index, in `CAP01...` it is the padding of a fixed width.
    """
    letter = ((data | 32) >= 97) & ((data | 32) <= 122)
    word = letter | digit
    others = np.cumsum(~word)
    first = word & (others == (others[starts[:-1]] - ~word[starts[:-1]])[owner])
    leading = letter[starts[:-1]][owner] & first
    behind = word & ~first
    for bracket in _OPEN:
        behind |= data == bracket
    follows = np.bincount(owner[behind], minlength=len(starts) - 1) > 0
    return np.asarray(digit & leading & follows[owner])


_WRITTEN = re.compile(rb"[A-Za-z][0-9]+\(([0-9]+)\)")


def written(names: NameBuffer, entries: Ints) -> Mask:
    """Names that a writer made of type, place and count of entries: `B6(3)`, with three entries.

    It holds of all names of this form, or of none.
    """
    nothing = np.zeros(len(names), bool)
    if not names.lengths.all() or not (names.buffer[names.starts[1:] - 1] == ord(")")).any():
        return nothing
    found = [_WRITTEN.fullmatch(name) for name in names.to_list()]
    if any(one and int(one[1]) != many for one, many in zip(found, entries, strict=True)):
        return nothing
    return np.array(found, bool)


def unwritten(names: NameBuffer, entries: Ints) -> NameBuffer:
    """The names, with a running one in place of each that a writer made."""
    made = written(names, entries)
    if not made.any():
        return names
    told = names.to_list()
    return NameBuffer.of([b"C%d" % k if made[k] else name for k, name in enumerate(told)])


def unpadded(label: Ints, spelled: NameBuffer, names: NameBuffer) -> tuple[Ints, NameBuffer]:
    """Templates without the dots that bring names to one length: `W.#` and `W#` are one."""
    if len(spelled) > MOST_CUT:
        return label, spelled
    least, most = np.full(len(spelled), len(names.buffer)), np.zeros(len(spelled), np.int64)
    np.minimum.at(least, label, names.lengths)
    np.maximum.at(most, label, names.lengths)
    bare = [
        (re.sub(rb"[. ]*(#|$)[. ]*", rb"\1", text), low if low == high else -1 - k)
        for k, (text, low, high) in enumerate(
            zip(spelled.to_list(), least.tolist(), most.tolist(), strict=True)
        )
    ]
    places = {one: k for k, one in reversed(list(enumerate(bare)))}
    return onto(np.array([places[one] for one in bare], np.int64), label, spelled)


def onto(root: Ints, label: Ints, spelled: NameBuffer) -> tuple[Ints, NameBuffer]:
    """The templates that others are put with, and each item's among them."""
    kept, joined = np.unique(root[label], return_inverse=True)
    return joined.astype(np.int64), spelled.take(kept)


MOST_CUT = 5_000
"""Templates that are looked at: a statement's names are cut in some eight ways, so that more are no
templates at all; it bounds the time where each name is its own."""


def untruncated(
    label: Ints, spelled: NameBuffer, names: NameBuffer
) -> tuple[Ints, NameBuffer, Mask]:
    """Templates of one statement whose names were cut to one length: joined, and which items.

    A writer that cuts names makes them unequal by a number in place of their ends: `transpor`,
    `transpo3`, `transp12`. So templates of which one begins the other are one where all names of
    both are as long as any; two are needed, as names may have one length without being cut
    (decision record 18).
    """
    lengths = names.lengths
    short = np.full(len(spelled), lengths.max(initial=0))
    np.minimum.at(short, label, lengths)
    full = np.flatnonzero(short == lengths.max(initial=0))[:MOST_CUT].tolist()
    begins = {spelled[k].removesuffix(b"#"): k for k in reversed(full)}
    root = np.arange(len(spelled))
    for text, k in begins.items():
        before = (begins.get(text[:end]) for end in range(1, len(text)))
        root[k] = next((first for first in before if first is not None), k)
    for k in full:
        root[k] = root[begins[spelled[k].removesuffix(b"#")]]
    several = np.bincount(root, minlength=len(root)) > 1
    if not several.any():
        return label, spelled, several[label]
    return *onto(root, label, spelled), several[root[label]]


def meaningful(label: Ints, spelled: NameBuffer | list[bytes], names: NameBuffer) -> bool:
    """Whether the templates say something: not one running number, and not a template a name."""
    count = len(label)
    if not count:
        return False
    if len(spelled) > max(12, 2.5 * count**0.5):
        return False
    word = spelled[0].replace(b"#", b"").strip(b"_")
    short = spelled[0].count(b"#") == 1 and _SIDES.fullmatch(word) is not None
    return count == 1 or len(spelled) > 1 or not short


_SIDES = re.compile(rb"[^\[({]{0,2}|row|col(umn)?|var(iable)?|con(s|str|straint)?", re.IGNORECASE)
"""Words that say at most which side an item is of."""
_GENERIC = re.compile(rb"_*[CcRr]_*#_*|[cr]_[elu]_x#_")
"""The second is Pyomo's, without labels: `c_u_x17_`."""


def generic(spelled: bytes) -> bool:
    """Whether a template is what solvers and writers call rows and columns without a name."""
    return _GENERIC.fullmatch(spelled) is not None
