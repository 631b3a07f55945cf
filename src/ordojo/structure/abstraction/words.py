"""Names whose indices are words: `pos[3,x]` or `flow[oslo,bergen]`, one word a field."""

import re

import numpy as np

from ordojo.structure.flat import Ints, Names

WORD = -1
"""Stands in a template for a field whose values are words."""
_MOST, _FEW = 200_000, 4
_CUT = re.compile(r"([^A-Za-z0-9]+)")
_PLAIN = re.compile(r"0|[1-9][0-9]{0,17}")


def split_words(names: Names, symbols: dict[str, int]) -> tuple[list[str | int], list[Ints]] | None:
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


def _cut_alike(names: Names) -> bool:
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


def worded(pieces: list[str | int], fields: list[Ints], count: int, symbols: list[str]) -> Names:
    """The names that a template with words says."""
    columns: list[list[str]] = []
    place = 0
    for piece in pieces:
        if isinstance(piece, str):
            columns.append([piece] * count)
            continue
        values = fields[place].tolist()
        place += 1
        columns.append([symbols[v] if piece == WORD else str(v) for v in values])
    return Names.of(["".join(parts).encode() for parts in zip(*columns, strict=True)])
