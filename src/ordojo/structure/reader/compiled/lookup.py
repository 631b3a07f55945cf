"""Which of many names a word is: open addressing by hash, then byte for byte.

In rounds of plain loops, so that no word waits for what another one needs from memory.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ordojo.structure.flat import Ints
from ordojo.structure.reader.compiled.jit import compiled, high_zeros, signed
from ordojo.structure.reader.compiled.words import first_bytes, hash_at, same_rest
from ordojo.structure.reader.tokens import Words

Numbers = NDArray[np.int32]
_HALF, _LOW_HALF = np.uint64(32), np.uint64(0xFFFFFFFF)
_MOST_PROBES = 64
"""Probes for each name, on average; only names made to collide need more."""


class Lookup(NamedTuple):
    """Names and where each is found. Name k begins at `starts[k]` of the text behind `words`.

    `slots`, a power of two of them, hold half a hash and a name's number plus 1, or 0.
    """

    words: Words
    starts: Ints
    slots: Words


def lookup(words: Words, starts: Ints) -> Lookup | None:
    """A table of names; None where two are equal (or made to collide)."""
    count = len(starts) - 1
    slots = np.zeros(1 << max(6, int(count * 1.5).bit_length()), np.uint64)
    codes = np.empty(count, np.uint64)
    _hash_all(words, starts[:-1], np.diff(starts), codes)
    if not _enter(words, starts, slots, codes, _MOST_PROBES * (count + 16)):
        return None
    return Lookup(words, starts, slots)


def find_all(table: Lookup, words: Words, at: Ints, lengths: Ints, found: Numbers) -> bool:
    """Which name each of many words is; whether all are known."""
    codes = np.empty(len(at), np.uint64)
    _first_slots(table.slots, words, at, lengths, codes, found)
    return _other_slots(table.slots, codes, found) and _verified(
        table.words, table.starts, words, at, lengths, found
    )


@compiled
def _hash_all(words: Words, at: Ints, lengths: Ints, codes: Words) -> None:
    for i in range(len(at)):
        codes[i] = hash_at(words, at[i], lengths[i])


@compiled
def _enter(names: Words, starts: Ints, slots: Words, codes: Words, most: int) -> bool:
    mask = len(slots) - 1
    home = high_zeros(np.uint64(mask))
    for k in range(len(codes)):
        code = codes[k]
        place = signed(code >> home)
        while slots[place] != 0:
            if (slots[place] >> _HALF) == (code & _LOW_HALF):
                other = starts[signed(slots[place] & _LOW_HALF) - 1]
                length = starts[signed(slots[place] & _LOW_HALF)] - other
                at = starts[k]
                if (
                    starts[k + 1] - at == length
                    and first_bytes(names, at, length) == first_bytes(names, other, length)
                    and same_rest(names, at, names, other, length)
                ):
                    return False
            place = (place + 1) & mask
            most -= 1
            if most < 0:
                return False
        slots[place] = (code << _HALF) | np.uint64(k + 1)
    return True


@compiled
def _first_slots(
    slots: Words, words: Words, at: Ints, lengths: Ints, codes: Words, found: Numbers
) -> None:
    """Each word's hash, and the name in its own slot if half the hash agrees, else -1."""
    home = high_zeros(np.uint64(len(slots) - 1))
    for i in range(len(codes)):
        code = hash_at(words, at[i], lengths[i])
        codes[i] = code
        slot = slots[signed(code >> home)]
        right = slot != 0 and (slot >> _HALF) == (code & _LOW_HALF)
        found[i] = signed(slot & _LOW_HALF) - 1 if right else -1


@compiled
def _other_slots(slots: Words, codes: Words, found: Numbers) -> bool:
    mask = len(slots) - 1
    home = high_zeros(np.uint64(mask))
    for i in range(len(codes)):
        if found[i] < 0:
            code = codes[i]
            place = signed(code >> home)
            while slots[place] != 0 and (slots[place] >> _HALF) != (code & _LOW_HALF):
                place = (place + 1) & mask
            if slots[place] == 0:
                return False
            found[i] = signed(slots[place] & _LOW_HALF) - 1
    return True


@compiled
def _verified(
    names: Words, starts: Ints, words: Words, at: Ints, lengths: Ints, found: Numbers
) -> bool:
    for i in range(len(at)):
        k = signed(found[i])
        begin, length = starts[k], lengths[i]
        if (
            starts[k + 1] - begin != length
            or first_bytes(names, begin, length) != first_bytes(words, at[i], length)
            or not same_rest(names, begin, words, at[i], length)
        ):
            return False
    return True
