"""A decimal number, rounded correctly: exact powers of ten, else Eisel and Lemire's method.

D. Lemire, "Number parsing at a gigabyte per second", Software: Practice and Experience 51 (2021).
"""

import numpy as np

from ordojo.structure.flat import Bytes, Floats
from ordojo.structure.reader.compiled.jit import (
    as_float,
    compiled,
    eight,
    high_product,
    high_zeros,
    inlined,
    low_zeros,
    signed,
)
from ordojo.structure.reader.tokens import Words

_LOWEST, _HIGHEST = -300, 290
"""Powers of ten within which no result is subnormal or infinite."""

EXACT: Floats = np.array([float(10**k) for k in range(23)])
_ONE = np.uint64(1)
_TEN = np.uint64(10)
_EIGHT, _WHOLE_BYTES, _SEVEN_BYTES = np.uint64(8), np.uint64(56), np.uint64(56)
_ZERO, _BYTE = np.uint64(0x30), np.uint64(0xFF)
_ONES = np.uint64(0x0101010101010101)
_POINTS = np.uint64(0x2E2E2E2E2E2E2E2E)
_ZEROS = np.uint64(0x3030303030303030)
_HIGH = np.uint64(0x8080808080808080)
_UP = np.uint64(0x4646464646464646)
_NIBBLES = np.uint64(0x0F0F0F0F0F0F0F0F)
_PAIRS = np.uint64(0x00FF00FF00FF00FF)
_FOURS = np.uint64(0x0000FFFF0000FFFF)
_HUNDRED_MILLION = np.uint64(100_000_000)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_NINE_BITS = np.uint64(0x1FF)
_HIDDEN = np.uint64(1 << 52)
_MAX_EXACT = np.uint64(1 << 53)


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


@inlined
def decimal(data: Bytes, start: int, end: int) -> tuple[float, bool]:
    """The number that `data[start:end]` says, and whether it is sure; else ask Python."""
    negative = data[start] == 45
    at = start + signed(negative | (data[start] == 43))
    length = end - at
    if length <= 0 or length > 16:
        return _by_letter(data, at, end, negative)
    last = eight(data, end - 8)
    if length <= 8:
        last = _filled(last, length)
        low = _ZEROS
    else:
        low = _filled(eight(data, end - 16), length - 8)
    power = 0
    point = _has_zero(last ^ _POINTS)
    if point != 0:
        place = low_zeros(point) & _WHOLE_BYTES
        power = (signed(place) - 56) >> 3
        below = (_ONE << place) - _ONE
        last = (
            ((last & below) << _EIGHT) | (low >> _SEVEN_BYTES) | (last & ~below & ~(_BYTE << place))
        )
        low = (low << _EIGHT) | _ZERO
        if length == 1:
            return 0.0, False
    elif length > 8:
        point = _has_zero(low ^ _POINTS)
        if point != 0:
            place = low_zeros(point) & _WHOLE_BYTES
            power = ((signed(place) - 56) >> 3) - 8
            below = (_ONE << place) - _ONE
            low = ((low & below) << _EIGHT) | _ZERO | (low & ~below & ~(_BYTE << place))
    if _strange(last) != 0 or _strange(low) != 0:
        return _by_letter(data, at, end, negative)
    mantissa = _eight_digits(last)
    if length > 8:
        mantissa += _eight_digits(low) * _HUNDRED_MILLION
    value, sure = scaled(mantissa, power)
    return (-value if negative else value), sure


@inlined
def _filled(word: np.uint64, length: int) -> np.uint64:
    """The last bytes of a word, the digit 0 in place of those before."""
    keep = ~np.uint64(0) << (np.uint64(8 - length) * _EIGHT)
    return (word & keep) | (_ZEROS & ~keep)


@inlined
def _has_zero(word: np.uint64) -> np.uint64:
    """Bits above the lowest byte that is 0, if any is; 0 if none."""
    return (word - _ONES) & ~word & _HIGH


@inlined
def _strange(word: np.uint64) -> np.uint64:
    """Not 0 where a byte is no digit."""
    return ((word + _UP) | (word - _ZEROS)) & _HIGH


@inlined
def _eight_digits(word: np.uint64) -> np.uint64:
    """The number that eight digits say, the first one lowest."""
    word = ((word & _NIBBLES) * np.uint64(2561)) >> _EIGHT
    word = ((word & _PAIRS) * np.uint64(6553601)) >> np.uint64(16)
    return ((word & _FOURS) * np.uint64(42949672960001)) >> np.uint64(32)


@compiled
def _by_letter(data: Bytes, at: int, end: int, negative: bool) -> tuple[float, bool]:
    """The number behind the sign, with an exponent or many digits."""
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
    value, sure = scaled(mantissa, power)
    return (-value if negative else value), sure


@inlined
def scaled(mantissa: np.uint64, power: int) -> tuple[float, bool]:
    """Mantissa times ten to the power, and whether that is sure."""
    if mantissa <= _MAX_EXACT and -22 <= power <= 22:
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
