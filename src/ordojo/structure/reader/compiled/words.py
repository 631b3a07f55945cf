"""Words of a line, many bytes at a time: where they stand, their bytes, their hash."""

import numpy as np

from ordojo.structure.flat import Bytes, Ints
from ordojo.structure.reader.compiled.jit import (
    compiled,
    eight,
    high_product,
    inlined,
    line_ends,
    low_bytes,
    low_zeros,
    ones,
    put_eight,
    shown,
    signed,
    spacing,
)
from ordojo.structure.reader.outline import BEGINNINGS

_ONE, _EIGHT, _HALF, _LAST = np.uint64(1), np.uint64(8), np.uint64(32), np.uint64(63)
_NONE = np.uint64(0)
_LETTERS, _FOREIGN = np.uint64(0xFFFFFF), np.uint64(0x808080)
_UPPER = np.uint64(0xDFDFDF)
_BEGINNINGS = BEGINNINGS.astype(np.uint64)
_MIX = np.uint64(0x9E3779B97F4A7C15)
MOST_WORDS = 6
"""A line with more words counts as one with so many."""

_MOST_EDGES = np.uint64(2 * MOST_WORDS)
EDGES = 2 * MOST_WORDS + 1
"""The length of the array that takes where the words of a line begin and end."""

SLACK = 16
"""Bytes that must follow a text whose words are read by eight bytes at a time."""


@inlined
def line_words(data: Bytes, at: int, edges: Ints) -> tuple[int, int]:
    """Find the words of the line at a place: word k begins at `edges[2k]`, ends at `edges[2k + 1]`.

    Gives how many words there are and the place of the next line.
    """
    count, before = _NONE, _NONE
    while True:
        line = line_ends(data, at)
        bits = shown(data, at)
        if line != 0:
            bits &= (line & (~line + _ONE)) - _ONE
        turns = bits ^ ((bits << _ONE) | before)
        while turns != 0:
            edges[count] = at + signed(low_zeros(turns))
            turns &= turns - _ONE
            count += np.uint64(count < _MOST_EDGES)
        if line != 0:
            return signed(count >> _ONE), at + signed(low_zeros(line)) + 1
        before = bits >> _LAST
        at += 64


@inlined
def line_edges(data: Bytes, at: int, edges: Ints) -> tuple[int, ...]:
    """As `line_words`, with the edges of the first five words, if there are so many, behind.

    They stay in the processor; only a line of 64 bytes or more needs the array.
    """
    line = line_ends(data, at)
    if line == 0:
        count, after = line_words(data, at, edges)
        return (
            count, after, edges[0], edges[1], edges[2], edges[3], edges[4], edges[5], edges[6],
            edges[7], edges[8], edges[9],
        )  # fmt: skip
    bits = shown(data, at) & ((line & (~line + _ONE)) - _ONE)
    a = bits ^ (bits << _ONE)
    b = a & (a - _ONE)
    c = b & (b - _ONE)
    d = c & (c - _ONE)
    e = d & (d - _ONE)
    f = e & (e - _ONE)
    g = f & (f - _ONE)
    h = g & (g - _ONE)
    i = h & (h - _ONE)
    j = i & (i - _ONE)
    return (
        signed(ones(a) >> _ONE), at + signed(low_zeros(line)) + 1, at + signed(low_zeros(a)),
        at + signed(low_zeros(b)), at + signed(low_zeros(c)), at + signed(low_zeros(d)),
        at + signed(low_zeros(e)), at + signed(low_zeros(f)), at + signed(low_zeros(g)),
        at + signed(low_zeros(h)), at + signed(low_zeros(i)), at + signed(low_zeros(j)),
    )  # fmt: skip


@compiled
def line_heads(data: Bytes, at: int, stop: int, heads: Ints) -> int:
    """Find the comments and likely headers in `data[at:stop]`; gives how many, -1 if strange.

    Strange is a byte that no text holds, and more such lines than there is room for in `heads`.
    """
    count, before = 0, _ONE
    while at < stop:
        ends = line_ends(data, at)
        strange = low_bytes(data, at) & ~spacing(data, at)
        begins = ((ends << _ONE) | before) & shown(data, at)
        before = ends >> _LAST
        if (strange | begins) != 0:
            if stop - at < 64:
                inside = (_ONE << np.uint64(stop - at)) - _ONE
                strange &= inside
                begins &= inside
            if strange != 0:
                return -1
            while begins != 0:
                head = at + signed(low_zeros(begins))
                begins &= begins - _ONE
                letters = eight(data, head) & _LETTERS
                known = letters & _FOREIGN != 0 or data[head] == 42
                for k in range(len(_BEGINNINGS)):
                    known |= letters & _UPPER == _BEGINNINGS[k]
                if known:
                    if count == len(heads):
                        return -1
                    heads[count] = head
                    count += 1
        at += 64
    return count


@inlined
def first_bytes(data: Bytes, at: int, length: int) -> np.uint64:
    """Up to eight bytes from a place on, zeros behind; the length is at least 1."""
    found: np.uint64 = eight(data, at)
    if length < 8:
        found &= (_ONE << (np.uint64(length) * _EIGHT)) - _ONE
    return found


@inlined
def same_rest(a: Bytes, at: int, b: Bytes, other: int, length: int) -> bool:
    """Whether two words of one length are equal behind their first eight bytes."""
    while length > 16:
        at += 8
        other += 8
        length -= 8
        if eight(a, at) != eight(b, other):
            return False
    # The last eight bytes, some of them perhaps for the second time.
    return length <= 8 or eight(a, at + length - 8) == eight(b, other + length - 8)


@inlined
def put(target: Bytes, place: int, data: Bytes, at: int, length: int) -> int:
    """Copy a word, and up to seven bytes behind it; gives the place behind the word."""
    for k in range(0, length, 8):
        put_eight(target, place + k, eight(data, at + k))
    return place + length


@inlined
def hash_at(data: Bytes, at: int, length: int, key: np.uint64) -> np.uint64:
    """A hash of the word at a place, of at least one byte."""
    code = first_bytes(data, at, length) ^ key
    size = np.uint64(length) * _MIX ^ (key >> _HALF)
    while length > 16:
        at += 8
        length -= 8
        code = _folded(code, eight(data, at) ^ size)
    return _folded(code, (eight(data, at + length - 8) if length > 8 else _NONE) ^ size)


@inlined
def _folded(a: np.uint64, b: np.uint64) -> np.uint64:
    found: np.uint64 = high_product(a, b) ^ (a * b)
    return found
