"""A decimal number of a few digits, eight of them at once; others are left to `rounding`."""

import numpy as np

from ordojo.structure.flat import Bytes, Floats
from ordojo.structure.reader.compiled.jit import eight, inlined, low_zeros, signed

EXACT: Floats = np.array([float(10**k) for k in range(23)])
_NONE, _ONE, _THREE = np.uint64(0), np.uint64(1), np.uint64(3)
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
MAX_EXACT = np.uint64(1 << 53)


@inlined
def decimal(data: Bytes, start: int, end: int) -> tuple[float, bool]:
    """The number that `data[start:end]` says, and whether it is sure; else ask `settle`."""
    # What takes the array and is not inlined would have its holders counted at each number.
    negative = data[start] == 45
    at = start + signed(negative | (data[start] == 43))
    length = end - at
    if length <= 0 or length > 16:
        return 0.0, False
    last = eight(data, end - 8)
    if length <= 8:
        last = _filled(last, length)
        low = _ZEROS
    else:
        low = _filled(eight(data, end - 16), length - 8)
    places = _NONE
    point = _has_zero(last ^ _POINTS)
    if point != 0:
        place = low_zeros(point) & _WHOLE_BYTES
        places = (_WHOLE_BYTES - place) >> _THREE
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
            places = ((_WHOLE_BYTES - place) >> _THREE) + _EIGHT
            below = (_ONE << place) - _ONE
            low = ((low & below) << _EIGHT) | _ZERO | (low & ~below & ~(_BYTE << place))
    if _strange(last) != 0 or _strange(low) != 0:
        return 0.0, False
    mantissa = _eight_digits(last)
    if length > 8:
        mantissa += _eight_digits(low) * _HUNDRED_MILLION
        if mantissa > MAX_EXACT:
            return 0.0, False
    value = np.float64(signed(mantissa))
    if places != 0:
        value /= EXACT[places]
    return (-value if negative else value), True


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
