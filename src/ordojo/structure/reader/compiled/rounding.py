"""Decimal numbers rounded correctly: exact powers of ten, else Eisel and Lemire's method.

D. Lemire, "Number parsing at a gigabyte per second", Software: Practice and Experience 51 (2021).
"""

import numpy as np

from ordojo.structure.flat import Bytes, Floats, Ints
from ordojo.structure.reader.compiled.decimals import EXACT, MAX_EXACT
from ordojo.structure.reader.compiled.jit import (
    as_float,
    compiled,
    high_product,
    high_zeros,
    inlined,
    signed,
)
from ordojo.structure.reader.tokens import Words

_LOWEST, _HIGHEST = -300, 290
"""Powers of ten within which no result is subnormal or infinite."""

_ONE, _TEN = np.uint64(1), np.uint64(10)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_NINE_BITS = np.uint64(0x1FF)
_HIDDEN = np.uint64(1 << 52)


def _fives() -> Words:
    """The highest 128 bits of each power of five, as two words; those below 1 rounded up."""
    found = np.empty((_HIGHEST - _LOWEST + 1, 2), np.uint64)
    for q in range(_LOWEST, _HIGHEST + 1):
        power = 5 ** abs(q)
        if q >= 0:
            shift = 128 - power.bit_length()
            bits = power << shift if shift >= 0 else power >> -shift
        else:
            bits = (1 << (power.bit_length() + 127)) // power + 1
            if bits >> 128:
                bits >>= 1
        found[q - _LOWEST] = bits >> 64, bits & ((1 << 64) - 1)
    return found.ravel()


FIVES = _fives()


@compiled
def settle(data: Bytes, doubts: Ints, count: int, value: Floats) -> int:
    """Read the numbers with an exponent or many digits; gives how many doubts are left.

    The first `count` threes of `doubts` are a place in `value` and where the number stands.
    """
    left = 0
    for k in range(0, 3 * count, 3):
        place, begin, end = doubts[k], doubts[k + 1], doubts[k + 2]
        value[place], sure = _by_letter(data, begin, end)
        if not sure:
            doubts[left], doubts[left + 1], doubts[left + 2] = place, begin, end
            left += 3
    return left // 3


@inlined
def _by_letter(data: Bytes, at: int, end: int) -> tuple[float, bool]:
    """The number that `data[at:end]` says, and whether it is sure; else ask Python."""
    negative = data[at] == 45
    at += signed(negative | (data[at] == 43))
    mantissa = np.uint64(0)
    first = at
    while at < end and 48 <= data[at] <= 57:
        mantissa = mantissa * _TEN + np.uint64(data[at] - 48)
        at += 1
    digits = at - first
    power = 0
    if at < end and data[at] == 46:
        at += 1
        first = at
        while at < end and 48 <= data[at] <= 57:
            mantissa = mantissa * _TEN + np.uint64(data[at] - 48)
            at += 1
        power = first - at
        digits -= power
    if digits == 0 or digits > 19:
        return 0.0, False
    if at < end:
        letter = data[at] | 32
        at += 1
        if letter != 101 and letter != 100:
            return 0.0, False
        down = at < end and data[at] == 45
        if down or (at < end and data[at] == 43):
            at += 1
        if at == end or end - at > 3:
            return 0.0, False
        stated = 0
        while at < end:
            if not 48 <= data[at] <= 57:
                return 0.0, False
            stated = stated * 10 + signed(data[at]) - 48
            at += 1
        power += -stated if down else stated
    value, sure = _scaled(mantissa, power)
    return (-value if negative else value), sure


@inlined
def _scaled(mantissa: np.uint64, power: int) -> tuple[float, bool]:
    """Mantissa times ten to the power, and whether that is sure."""
    if mantissa <= MAX_EXACT and -22 <= power <= 22:
        if power <= 0:
            return np.float64(mantissa) / EXACT[-power], True
        return np.float64(mantissa) * EXACT[power], True
    return _rounded(mantissa, power)


@compiled
def _rounded(mantissa: np.uint64, power: int) -> tuple[float, bool]:
    if mantissa == 0:
        return 0.0, True
    if not _LOWEST <= power <= _HIGHEST:
        return 0.0, False
    left = high_zeros(mantissa)
    word = mantissa << left
    place = 2 * (power - _LOWEST)
    low = word * FIVES[place]
    high = high_product(word, FIVES[place])
    if high & _NINE_BITS == _NINE_BITS:
        more = high_product(word, FIVES[place + 1])
        low += more
        if low < more:
            high += _ONE
    if low == _ALL:
        return 0.0, False
    upper = high >> np.uint64(63)
    shift = upper + np.uint64(9)
    bits = high >> shift
    exponent = ((217706 * power) >> 16) + 63 + signed(upper) - signed(left) + 1023
    # Half way between two numbers: to the even one.
    if low <= _ONE and -4 <= power <= 23 and bits & np.uint64(3) == _ONE and bits << shift == high:
        bits ^= _ONE
    bits = (bits + (bits & _ONE)) >> _ONE
    if bits == _HIDDEN << _ONE:
        bits = _HIDDEN
        exponent += 1
    if not 0 < exponent < 2047:
        return 0.0, False
    whole = (bits ^ _HIDDEN) | (np.uint64(exponent) << np.uint64(52))
    return as_float(whole), True
