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
    put_eight,
    shown,
    signed,
)

_ONE, _EIGHT, _HALF, _LAST = np.uint64(1), np.uint64(8), np.uint64(32), np.uint64(63)
_NONE = np.uint64(0)
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


@compiled
def line_heads(data: Bytes, at: int, stop: int, heads: Ints) -> int:
    """Find the lines in `data[at:stop]` that begin with no blank; gives how many, -1 if strange.

    Strange is a byte that no text holds, and more such lines than there is room for in `heads`.
    """
    count, before = 0, _ONE
    while at < stop:
        ends = line_ends(data, at)
        low = low_bytes(data, at) & ~ends
        begins = ((ends << _ONE) | before) & shown(data, at)
        before = ends >> _LAST
        if (low | begins) != 0:
            if stop - at < 64:
                inside = (_ONE << np.uint64(stop - at)) - _ONE
                low &= inside
                begins &= inside
            while low != 0:
                letter = data[at + signed(low_zeros(low))]
                if letter < 9 or letter > 13:
                    return -1
                low &= low - _ONE
            while begins != 0:
                if count == len(heads):
                    return -1
                heads[count] = at + signed(low_zeros(begins))
                count += 1
                begins &= begins - _ONE
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
