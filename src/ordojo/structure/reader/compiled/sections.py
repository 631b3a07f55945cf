"""The sections ROWS and COLUMNS as machine code; whatever is not simply right is left undone."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ordojo.structure.flat import Bytes, Floats, Ints
from ordojo.structure.reader.compiled.decimals import decimal
from ordojo.structure.reader.compiled.jit import compiled, eight, signed
from ordojo.structure.reader.compiled.rounding import settle
from ordojo.structure.reader.compiled.words import (
    EDGES,
    first_bytes,
    hash_at,
    line_edges,
    put,
    same_rest,
)
from ordojo.structure.reader.tokens import Words

_MARKER, _INTORG, _INTEND = (
    np.frombuffer(word, np.uint64)[0] for word in (b"'MARKER'", b"'INTORG'", b"'INTEND'")
)
_NONE, _ONE, _TWO, _THREE = (np.uint64(k) for k in range(4))
INSIDE, ENTRIES, COLUMNS, TEXT = range(4)
"""Places of the numbers that are kept from one block of COLUMNS to the next."""


class Columns(NamedTuple):
    """What COLUMNS says, with room for one more block; `begins[c]` is column c's first entry."""

    text: Bytes
    starts: Ints
    begins: Ints
    integer: NDArray[np.bool_]
    value: Floats


class Pairs(NamedTuple):
    """The pairs of a name and a number in a block: the name's hash.

    `doubts` holds, for each number left to Python, the pair and where the number begins and ends.
    """

    code: Words
    doubts: Ints


@compiled
def scan_rows(
    data: Bytes, at: int, stop: int, text: Bytes, starts: Ints, senses: Bytes,
    count: int,
) -> int:  # fmt: skip
    """Append the rows in `data[at:stop]`; gives how many there are then, or -1 in doubt."""
    edges = np.empty(EDGES, np.int64)
    place = starts[count]
    while at < stop:
        line = line_edges(data, at, edges)
        found, at, low = line[0], line[1], line[2]
        if found == 0:
            continue
        letter = data[low] & 0xDF
        known = letter == 69 or letter == 71 or letter == 76 or letter == 78
        if found != 2 or line[3] - low != 1 or not known:
            return -1
        place = put(text, place, data, line[4], line[5] - line[4])
        senses[count] = letter
        count += 1
        starts[count] = place
    return count


@compiled
def scan_columns(
    data: Bytes, at: int, stop: int, columns: Columns, pairs: Pairs, state: Ints,
    key: np.uint64,
) -> int:  # fmt: skip
    """Append the entries in `data[at:stop]`; gives how many doubts there are, or -1."""
    edges = np.empty(EDGES, np.int64)
    text, starts, begins, integer, value = columns
    codes, left = pairs
    inside, column, place = state[INSIDE], state[COLUMNS] - 1, state[TEXT]
    # Unsigned, or each use would be tested for a place counted from the end.
    entry, pair, doubts = np.uint64(state[ENTRIES]), _NONE, _NONE
    while at < stop:
        line = line_edges(data, at, edges)
        found, at, low, length = line[0], line[1], line[2], line[3] - line[2]
        name, behind, begin, end = line[4:8]
        if found != 3 and found != 5:
            if found == 0:
                continue
            return -1
        if behind - name == 8 and eight(data, name) == _MARKER:
            kind = eight(data, begin)
            if found != 3 or end - begin != 8 or (kind != _INTORG and kind != _INTEND):
                return -1
            inside = signed(kind == _INTORG)
            continue
        old = column >= 0 and place - starts[column] == length
        if old:
            other = starts[column]
            old = first_bytes(data, low, length) == first_bytes(text, other, length)
            old = old and same_rest(text, other, data, low, length)
        if not old:
            column += 1
            starts[column] = place
            begins[column] = signed(entry)
            integer[column] = inside == 1
            place = put(text, place, data, low, length)
        while True:
            codes[pair] = hash_at(data, name, behind - name, key)
            number, sure = decimal(data, begin, end)
            if not sure:
                left[doubts] = signed(entry)
                left[doubts + _ONE] = begin
                left[doubts + _TWO] = end
                doubts += _THREE
            value[entry] = number
            pair += _ONE
            entry += _ONE
            if found == 3:
                break
            found = 3
            name, behind, begin, end = line[8:]
    starts[column + 1] = place
    begins[column + 1] = state[ENTRIES] = signed(entry)
    state[INSIDE], state[COLUMNS], state[TEXT] = inside, column + 1, place
    return settle(data, left, signed(doubts) // 3, value)
