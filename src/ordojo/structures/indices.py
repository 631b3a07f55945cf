"""Indices in names: a template with whole-number fields, or words, of names that are alike.

`split_names` and `split_words` cut names into a template's pieces and fields. Numbers may pack
several indices (`X0302`): `packed` finds the cuts that save bits, as the parts take fewer different
numbers than the whole, and `recut` makes them.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import takewhile
from math import lgamma, log
from typing import AnyStr, NamedTuple

import numpy as np

from ordojo.core.errors import UsageError
from ordojo.structures.arrays import distinct
from ordojo.structures.flat import Bytes, Ints, NameBuffer

WORD = -1
"""Stands in a template for a field whose values are words."""
DIGITS = 18
"""The most digits of a number in a name."""
_MOST, _FEW = 200_000, 4
"""Names whose words are numbered at most (each is a Python string: time), and names so few that
words may all differ: of more, nine in ten different words are no index but a name each, unless
brackets or other names say that they are."""
_BRACKETS = "[](),'"
_KEYS = re.compile(r"(?:[^][(),'_]|(?<!,)_)+|(?:[][(),']|(?<=,)_)+")
"""What stands in brackets is one key up to the next comma, `x[Ann_B,t1]`; PuLP writes `_` for the
blank behind it, `x_('Ann',_'t1')`. Pyomo's `x(Ann_t1)` has its keys between underscores."""
_WORDS = re.compile(r"[A-Za-z0-9]+|[^A-Za-z0-9]+")
_RUNS = re.compile(r"[A-Za-z]+|[0-9]+|[^A-Za-z0-9]+")
_PLAIN = re.compile(r"0|[1-9][0-9]{0,17}")


def split_words(
    names: NameBuffer, symbols: dict[str, int]
) -> tuple[list[str | int], list[Ints]] | None:
    """A template's pieces and fields, as for numbers; None where names are not alike.

    Words end at commas where names have keys in brackets, or else where neither letters nor digits
    stand, or where one follows the other. A field of whole numbers stays one; other words get the
    number of their symbol.
    """
    if not 1 < len(names) <= _MOST or not names.lengths.all():
        return None
    try:
        texts = [name.decode("ascii") for name in names.to_list()]
    except UnicodeDecodeError:
        return None
    cuts = [(_WORDS, _WORD_KINDS), (_RUNS, _RUN_KINDS)]
    if "[" in texts[0] or "('" in texts[0]:
        cuts.insert(0, (_KEYS, _KEY_KINDS))
    for cut, kinds in cuts:
        if _cut_alike(names, kinds):
            found = _fields([cut.findall(text) for text in texts], symbols, cut is _KEYS)
            if found:
                return found
    return None


def _fields(
    parts: list[list[str]], symbols: dict[str, int], keys: bool
) -> tuple[list[str | int], list[Ints]] | None:
    if any(len(part) != len(parts[0]) for part in parts):
        return None
    columns = _stemmed(list(zip(*parts, strict=True)))
    if len(columns) < 2:
        return None
    bracketed = any(set("[(") & set(words[0]) for words in columns)

    def says(words: tuple[str, ...]) -> bool:
        """Whether they are no separators, and an index rather than a name each."""
        if not all(word[0] not in _BRACKETS if keys else word.isalnum() for word in words):
            return False
        different = set(words)
        own = len(different) > 0.9 * len(words) > _FEW
        return not own or bracketed or different <= symbols.keys()

    if not all(says(words) for words in columns if len(set(words)) > 1):
        return None
    pieces: list[str | int] = []
    fields: list[Ints] = []
    for words in columns:
        if len(set(words)) == 1:
            pieces.append(words[0])
            continue
        piece = _width(words)
        if piece == WORD:
            numbers = [symbols.setdefault(word, len(symbols)) for word in words]
        else:
            numbers = [int(word) for word in words]
        pieces.append(piece)
        fields.append(np.array(numbers, np.int64))
    return (pieces, fields) if fields else None


def beginning(words: Sequence[AnyStr]) -> AnyStr:
    """What all words begin with: the first and the last by their order do."""
    low, high = min(words), max(words)
    same = (a == b for a, b in zip(low, high, strict=False))
    return low[: sum(takewhile(bool, same))]


def _stemmed(columns: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """With what all names begin with as a word of its own, as in `SHIPEAST` and `SHIPWEST`."""
    stem = beginning(columns[0])
    if not stem.isalpha() or stem in columns[0]:
        return columns
    rest = tuple(word[len(stem) :] for word in columns[0])
    return [(stem,) * len(rest), rest, *columns[1:]]


def _width(words: tuple[str, ...]) -> int:
    """0 for plain numbers, the digits of padded ones, and `WORD` for all else."""
    if all(map(_PLAIN.fullmatch, words)):
        return 0
    width = len(words[0])
    digits = all(word.isdigit() and len(word) == width for word in words)
    return width if digits and width <= DIGITS else WORD


_LETTERS, _NUMERALS = np.zeros(256, np.uint8), np.zeros(256, np.uint8)
_LETTERS[[byte for byte in range(128) if chr(byte).isalpha()]] = 1
_NUMERALS[[byte for byte in range(128) if chr(byte).isdigit()]] = 1
_WORD_KINDS, _RUN_KINDS = _LETTERS + _NUMERALS, _LETTERS + 2 * _NUMERALS
_KEY_KINDS = np.ones(256, np.uint8)
_KEY_KINDS[[ord(byte) for byte in _BRACKETS]] = 0
"""The kind of each byte, as words are cut where kinds change."""


def _cut_alike(names: NameBuffer, kinds: Bytes) -> bool:
    """Whether each name is cut into equally many words."""
    kind = kinds[names.buffer]
    change = np.append(False, kind[1:] != kind[:-1])
    change[names.starts[:-1]] = False
    cuts = np.add.reduceat(change.astype(np.int64), names.starts[:-1])
    return bool((cuts == cuts[0]).all())


def split_names(names: NameBuffer) -> tuple[list[str | int], list[Ints]] | None:
    """The template's pieces (text, or the width of a zero-padded field, 0: none) and the fields.

    None where the names are not alike, or a field is mixed between padded and plain.
    """
    count = len(names)
    data, starts, length = names.buffer, names.starts, names.lengths
    if not count or not length.all():
        return None
    digit = (data >= 48) & (data <= 57)
    head = np.zeros(len(data), bool)
    head[starts[:-1]] = True
    before = np.zeros(len(data), bool)
    before[1:] = digit[:-1]
    begin = digit & (~before | head)
    runs = np.add.reduceat(begin.astype(np.int64), starts[:-1])
    k = int(runs[0])
    if not bool((runs == k).all()):
        return None
    begins = np.flatnonzero(begin)
    ends = np.flatnonzero(digit & ~np.append((digit & ~head)[1:], False)) + 1
    low, high = begins.reshape(count, k), ends.reshape(count, k)
    pieces: list[str | int] = []
    fields: list[Ints] = []
    at = starts[:-1]
    for f in range(k + 1):
        to = low[:, f] if f < k else starts[1:]
        text = _literal(data, at, to)
        if text is None:
            return None
        pieces.append(text)
        if f < k:
            found = _field(data, low[:, f], high[:, f])
            if found is None:
                return None
            pieces.append(found[0])
            fields.append(found[1])
            at = high[:, f]
    return pieces, fields


def _literal(data: Bytes, at: Ints, to: Ints) -> str | None:
    length = int(to[0] - at[0])
    if not bool((to - at == length).all()):
        return None
    for k in range(length):
        if not bool((data[at + k] == data[at[0] + k]).all()):
            return None
    try:
        return data[at[0] : to[0]].tobytes().decode("ascii")
    except UnicodeDecodeError:
        return None


def _field(data: Bytes, low: Ints, high: Ints) -> tuple[int, Ints] | None:
    width = high - low
    widest = int(width.max())
    if widest > DIGITS:
        return None
    value = np.zeros(len(low), np.int64)
    for k in range(widest):
        inside = low + k < high
        digit = data[np.minimum(low + k, len(data) - 1)].astype(np.int64) - 48
        value = np.where(inside, value * 10 + digit, value)
    padded = (data[low] == 48) & (width > 1)
    if not padded.any():
        return 0, value
    return (widest, value) if bool((width == widest).all()) else None


Cut = tuple[int, int]
"""A field, counted from 0, and how many of its digits are an index of their own at its end; with 0
digits the field and the next one are joined to one index."""


def recut(
    pieces: list[str | int], fields: list[Ints], cuts: Sequence[Cut], symbols: dict[str, int]
) -> tuple[list[str | int], list[Ints]]:
    """A template with fields split and joined, one cut after the other.

    Whether it still says the names is for the caller to compare: a split field that was not
    written with all its digits does not. Raises UsageError for a field that is not there.
    """
    pieces, fields = list(pieces), list(fields)
    for field, digits in cuts:
        places = [k for k, piece in enumerate(pieces) if not isinstance(piece, str)]
        last = len(places) - (1 if digits else 2)
        if not 0 <= field <= last:
            raise UsageError("there is no such index, or none after it to join it with")
        at = places[field]
        width = pieces[at]
        if digits:
            if width == WORD or not 0 < digits < DIGITS:
                raise UsageError("only an index of digits is split, before its last 1 to 17")
            left = max(int(width) - digits, 0)
            pieces[at : at + 1] = [left, digits]
            whole = fields[field]
            fields[field : field + 1] = [whole // 10**digits, whole % 10**digits]
            continue
        after = places[field + 1]
        parts = pieces[at : after + 1]
        texts = said_by(parts, fields[field : field + 2], list(symbols), len(fields[field]))
        pieces[at : after + 1] = [WORD]
        numbers = [symbols.setdefault(one, len(symbols)) for one in texts]
        fields[field : field + 2] = [np.array(numbers, np.int64)]
    return pieces, fields


def said_by(
    pieces: list[str | int], fields: list[Ints], symbols: list[str], count: int
) -> list[str]:
    """What a template, or a part of it, says of each of `count` names."""
    columns, place = list[list[str]](), 0
    for piece in pieces:
        if isinstance(piece, str):
            columns.append([piece] * count)
            continue
        values = fields[place].tolist()
        place += 1
        columns.append([symbols[v] if piece == WORD else f"{v:0{piece}d}" for v in values])
    return ["".join(parts) for parts in zip(*columns, strict=True)]


LEAST = 8.0
"""The bits that a cut must save to be made unasked, in all names that are cut so."""
_FIELD = 8.0
"""Bits of one more index, beside what its values take."""


class Packed(NamedTuple):
    """A cut of a number of so many digits, and the bits that it saves."""

    cut: Cut
    width: int
    bits: float


def packed(
    pieces: list[str | int],
    fields: list[Ints],
    known: Mapping[tuple[int, int], float] | None = None,
) -> list[Packed]:
    """The cuts that shorten what the numbers of names take, one after the other as for `recut`.

    `0302` to `0816` are 64 of 515 numbers, or all pairs of 8 and 16. Only a number that all names
    write with as many digits is cut. With `known`, what cuts of so many digits off numbers of a
    width save in all names, those below `LEAST` are left out.
    """
    widths = [piece for piece in pieces if not isinstance(piece, str)]
    found: list[Packed] = []
    for at in reversed(range(len(fields))):
        values = distinct(fields[at])
        digits = {len(str(int(value))) for value in (values[0], values[-1])}
        width = widths[at] or (digits.pop() if len(digits) == 1 else 0)
        found += _cuts(values, width, at, known)
    return found


def _cuts(
    values: Ints, width: int, at: int, known: Mapping[tuple[int, int], float] | None
) -> list[Packed]:
    gains = [(_gain(values, digits), -digits) for digits in range(1, width)]
    bits, digits = max(gains, default=(0.0, 0))
    digits = -digits
    if bits <= 0 or (known is not None and known.get((width, digits), 0.0) < LEAST):
        return []
    low = _cuts(distinct(values % 10**digits), digits, at + 1, known)
    high = _cuts(distinct(values // 10**digits), width - digits, at, known)
    return [Packed((at, digits), width, bits), *low, *high]


def _gain(values: Ints, digits: int) -> float:
    """The bits that different numbers take, less those of the pairs that they are cut into."""
    high, low = distinct(values // 10**digits), distinct(values % 10**digits)
    if len(high) < 2 or len(low) < 2:
        return 0.0
    pairs = _choices(len(high) * len(low), len(values))
    return _taken(values) - _taken(high) - _taken(low) - pairs - _FIELD


def _taken(values: Ints) -> float:
    return _choices(int(values[-1] - values[0]) + 1, len(values))


def _choices(room: int, many: int) -> float:
    """Bits of which of some places are taken."""
    return (lgamma(room + 1) - lgamma(many + 1) - lgamma(room - many + 1)) / log(2)
