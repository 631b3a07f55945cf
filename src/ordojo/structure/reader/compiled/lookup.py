"""Which of many names a word is, by a 64-bit hash: buckets of eight, compared at once.

The hash alone decides, as with numpy; its key is another one in each process.
"""

import numpy as np
from numpy.typing import NDArray

from ordojo.structure.flat import Bytes, Ints
from ordojo.structure.reader.compiled.growing import Growing
from ordojo.structure.reader.compiled.jit import agreeing, compiled, low_zeros, signed
from ordojo.structure.reader.compiled.words import hash_at
from ordojo.structure.reader.tokens import KEY, Words

Numbers = NDArray[np.int32]
BUCKET = 8
_NOTHING, _EVERYTHING = np.uint64(0), np.uint64(0xFFFFFFFFFFFFFFFF)


def lookup(text: Bytes, starts: Ints, room: Growing) -> Words | None:
    """A table of names, name k from `starts[k]` on; None where two are equal (or their hashes are).

    It has a power of two slots, which hold 0, or a hash whose lowest bits say the bucket to look
    in first; in place of these bits stands the name's number plus 1.
    """
    size = 1 << max(6, int(len(starts) * 1.5).bit_length())
    # A bucket is a line of the processor's cache.
    raw = room.room(0, size + BUCKET)
    first = -raw.__array_interface__["data"][0] % (8 * BUCKET) // 8
    slots = raw[first : first + size]
    slots[:] = 0
    return slots if _enter(text, starts, slots, KEY) else None


@compiled
def _enter(text: Bytes, starts: Ints, slots: Words, key: np.uint64) -> bool:
    mask = len(slots) - 1
    low = np.uint64(mask)
    for k in range(len(starts) - 1):
        code = hash_at(text, starts[k], starts[k + 1] - starts[k], key)
        place = signed(code) & mask & -BUCKET
        while True:
            if agreeing(slots, place, ~low, code) != 0 and code & ~low != 0:
                return False
            empty = agreeing(slots, place, _EVERYTHING, _NOTHING)
            if empty != 0:
                break
            place = (place + BUCKET) & mask
        slots[place + signed(low_zeros(empty))] = (code & ~low) | np.uint64(k + 1)
    return True


@compiled
def find_all(slots: Words, codes: Words, found: Numbers) -> bool:
    """Which name has each hash; whether all are known."""
    mask = len(slots) - 1
    low = np.uint64(mask)
    for i in range(len(found)):
        code = codes[i]
        place = signed(code) & mask & -BUCKET
        equal = agreeing(slots, place, ~low, code)
        while equal == 0:
            if slots[place + BUCKET - 1] == 0:
                return False
            place = (place + BUCKET) & mask
            equal = agreeing(slots, place, ~low, code)
        number = signed(slots[place + signed(low_zeros(equal))] & low) - 1
        if number < 0:
            return False
        found[i] = number
    return True
