"""Words of a line, many bytes at a time: where they stand, their bytes, their hash."""

import numpy as np

from ordojo.structure.flat import Bytes, Ints
from ordojo.structure.reader.compiled.jit import (
    compiled,
    line_ends,
    low_bytes,
    low_zeros,
    shown,
    signed,
)
from ordojo.structure.reader.tokens import Words

_ONE, _EIGHT, _HALF, _LAST = np.uint64(1), np.uint64(8), np.uint64(32), np.uint64(63)
_MIX = np.uint64(0x9E3779B97F4A7C15)
MOST_WORDS = 6
"""A line with more words counts as one with so many."""

EDGES = 2 * MOST_WORDS + 1
"""The length of the array that takes where the words of a line begin and end."""

SLACK = 16
"""Bytes that must follow a text whose words are read by eight bytes at a time."""


def by_eight(text: Bytes) -> Words:
    """The eight bytes from each place of a text on, the first one lowest; a view."""
    return np.ndarray((len(text) - 7,), "<u8", text.data, 0, (1,))


@compiled
def line_words(data: Bytes, at: int, edges: Ints) -> tuple[int, int]:
    """Find the words of the line at a place: word k begins at `edges[2k]`, ends at `edges[2k + 1]`.

    Gives how many words there are and the place of the next line.
    """
    count, before = 0, np.uint64(0)
    while True:
        line = line_ends(data, at)
        bits = shown(data, at)
        if line != 0:
            bits &= (line & (~line + _ONE)) - _ONE
        turns = bits ^ ((bits << _ONE) | before)
        while turns != 0:
            edges[count] = at + signed(low_zeros(turns))
            turns &= turns - _ONE
            if count < 2 * MOST_WORDS:
                count += 1
        if line != 0:
            return count >> 1, at + signed(low_zeros(line)) + 1
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


@compiled
def first_bytes(words: Words, at: int, length: int) -> np.uint64:
    """Up to eight bytes from a place on, zeros behind; the length is at least 1."""
    found: np.uint64 = words[at]
    if length < 8:
        found &= (_ONE << (np.uint64(length) * _EIGHT)) - _ONE
    return found


@compiled
def same_rest(a: Words, at: int, b: Words, other: int, length: int) -> bool:
    """Whether two words of one length are equal behind their first eight bytes."""
    while length > 16:
        at += 8
        other += 8
        length -= 8
        if a[at] != b[other]:
            return False
    # The last eight bytes, some of them perhaps for the second time.
    return length <= 8 or a[at + length - 8] == b[other + length - 8]


@compiled
def put(target: Words, place: int, words: Words, at: int, length: int) -> int:
    """Copy a word, and up to seven bytes behind it; gives the place behind the word."""
    for k in range(0, length, 8):
        target[place + k] = words[at + k]
    return place + length


@compiled
def hash_at(words: Words, at: int, length: int) -> np.uint64:
    """A hash of the word at a place."""
    code = first_bytes(words, at, length) * _MIX
    while length > 16:
        at += 8
        length -= 8
        code = (code ^ (code >> _HALF) ^ words[at]) * _MIX
    if length > 8:
        code = (code ^ (code >> _HALF) ^ words[at + length - 8]) * _MIX
    return (code ^ (code >> _HALF)) * _MIX
