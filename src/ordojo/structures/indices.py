"""Indices in names: a template with whole-number fields, or words, of names that are alike."""

import re

import numpy as np

from ordojo.structures.flat import Bytes, Ints, NameBuffer

WORD = -1
"""Stands in a template for a field whose values are words."""
DIGITS = 18
"""The most digits of a number in a name."""
_MOST, _FEW = 200_000, 4
"""Names whose words are numbered at most (each is a Python string: time), and names so few that
words may all differ: of more, nine in ten different words are no index but a name each."""
_CUT = re.compile(r"([^A-Za-z0-9]+)")
_PLAIN = re.compile(r"0|[1-9][0-9]{0,17}")


def split_words(
    names: NameBuffer, symbols: dict[str, int]
) -> tuple[list[str | int], list[Ints]] | None:
    """A template's pieces and fields, as for numbers; None where names are not alike.

    A field of plain whole numbers stays one; other words get the number of their symbol.
    """
    if not 1 < len(names) <= _MOST or not (len(names) <= _FEW or _cut_alike(names)):
        return None
    try:
        texts = [name.decode("ascii") for name in names.to_list()]
    except UnicodeDecodeError:
        return None
    parts = [_CUT.split(text) for text in texts]
    width = len(parts[0])
    if any(len(part) != width for part in parts):
        return None
    pieces: list[str | int] = []
    fields: list[Ints] = []
    for k, words in enumerate(zip(*parts, strict=True)):
        distinct = len(set(words))
        if distinct == 1:
            pieces.append(words[0])
        elif k % 2 or distinct > 0.9 * len(names) > _FEW:
            return None
        elif all(map(_PLAIN.fullmatch, words)):
            pieces.append(0)
            fields.append(np.array([int(word) for word in words], np.int64))
        else:
            pieces.append(WORD)
            numbers = [symbols.setdefault(word, len(symbols)) for word in words]
            fields.append(np.array(numbers, np.int64))
    return (pieces, fields) if fields else None


def _cut_alike(names: NameBuffer) -> bool:
    """Whether each name is cut into equally many words, more than one."""
    data, begins = names.buffer, names.starts[:-1]
    if not names.lengths.all():
        return False
    letter = (data | 32) - np.uint8(97) < 26
    cut = ~(letter | (data - np.uint8(48) < 10))
    head = np.zeros(len(data), bool)
    head[begins] = True
    cut[1:] &= ~cut[:-1] | head[1:]
    cuts = np.add.reduceat(cut.astype(np.int64), begins)
    return bool(cuts[0] > 0 and (cuts == cuts[0]).all())


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
