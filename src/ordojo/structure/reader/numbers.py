"""Decimal numbers of many words at once, each rounded correctly."""

import re

import numpy as np
from numpy.typing import NDArray

from ordojo.structure.flat import Bytes, Floats, Ints
from ordojo.structure.reader.stream import Words, loaded

_NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eEdD][+-]?\d{1,9})?")
_INFINITE = re.compile(rb"([+-]?)(inf|infinity)", re.IGNORECASE)
_ZEROS = np.uint64(0x3030303030303030)
_HIGH = np.uint64(0x8080808080808080)
_UP = np.uint64(0x4646464646464646)
_LOW_NIBBLES = np.uint64(0x0F0F0F0F0F0F0F0F)
_PAIRS = np.uint64(0x00FF00FF00FF00FF)
_FOURS = np.uint64(0x0000FFFF0000FFFF)
_POWERS = 10.0 ** np.arange(16)
_KEPT = np.array([((1 << 64) - 1) ^ ((1 << (8 * k)) - 1) for k in range(8)] + [0], np.uint64)
"""Keeps the highest 8 - k bytes of a word."""


def _short_table() -> Floats:
    """The value of every word of one or two bytes; NaN where it is no number."""
    table = np.full(1 << 16, np.nan)
    for value in range(100):
        for text in {str(value), f"{value:02}", f"+{value}", f"-{value}", f"{value}.", f".{value}"}:
            if len(text) <= 2:
                table[int.from_bytes(text.encode(), "little")] = float(text)
    return table


_SHORT = _short_table()


class Numbers:
    """Reads words as numbers; what is in doubt goes through Python's own reader, once."""

    def __init__(self) -> None:
        self.known: dict[bytes, float] = {}

    def read(self, data: Bytes, start: Ints, end: Ints) -> tuple[Floats, int]:
        """The numbers, and the place of the first word that is none (or -1)."""
        length = end - start
        first = data[start].astype(np.int64)
        second = data[start + 1].astype(np.int64)
        values = _SHORT[np.where(length == 1, first, first | (second << 8))]
        rest = np.flatnonzero((length > 2) | np.isnan(values))
        if len(rest):
            decimals, sure = _decimals(data, start[rest], end[rest])
            values[rest] = decimals
            unsure = rest[~sure]
            if len(unsure):
                bad = self._slow(data, start, end, unsure, values)
                return values, bad
        return values, -1

    def _slow(self, data: Bytes, start: Ints, end: Ints, which: Ints, values: Floats) -> int:
        whole, known = data.tobytes(), self.known
        if len(known) > 1_000_000:
            known.clear()
        found = []
        spans = zip(start[which].tolist(), end[which].tolist(), which.tolist(), strict=True)
        for low, high, place in spans:
            word = whole[low:high]
            value = known.get(word)
            if value is None:
                value = number(word)
                if value is None:
                    return int(place)
                known[word] = value
            found.append(value)
        values[which] = found
        return -1


def number(word: bytes) -> float | None:
    """The number that a word says, perhaps infinite, or None."""
    if _NUMBER.fullmatch(word):
        return float(word.replace(b"d", b"e").replace(b"D", b"e"))
    infinite = _INFINITE.fullmatch(word)
    if infinite:
        return -np.inf if infinite[1] == b"-" else np.inf
    return None


def _decimals(data: Bytes, start: Ints, end: Ints) -> tuple[Floats, NDArray[np.bool_]]:
    """Numbers such as -12.50 with at most 15 digits, exactly; and which words are such."""
    signed = data[start]
    negative = signed == 45
    begin = start + (negative | (signed == 43))
    length = end - begin
    sure = (length > 0) & (length <= 16)
    begin = np.where(sure, begin, end - 1)
    point = _points(data, begin, end)
    behind = np.maximum(end - point - 1, 0)
    whole, good = _digits(data, begin, np.minimum(point, end))
    fraction, good2 = _digits(data, end - behind, end)
    sure &= good & good2 & (length - (point < end) > 0) & (length - (point < end) <= 15)
    power = _POWERS[np.minimum(behind, 15)]
    values = (whole * power + fraction) / power
    return np.where(negative, -values, values), sure


def _points(data: Bytes, begin: Ints, end: Ints) -> Ints:
    """The place of the first decimal point in each word of at most 16 bytes, or its end."""
    found = end.copy()
    open_ = np.arange(len(begin))
    for k in range(16):
        at = begin[open_] + k
        inside = at < end[open_]
        hit = inside & (data[at] == 46)
        found[open_[hit]] = at[hit]
        open_ = open_[inside & ~hit]
        if not len(open_):
            break
    return found


def _digits(data: Bytes, begin: Ints, end: Ints) -> tuple[Floats, NDArray[np.bool_]]:
    """The value of up to 16 digits, and whether all are digits; no digit counts as 0."""
    length = end - begin
    values, good = _eight(loaded(data, end - 8), np.minimum(length, 8))
    long = np.flatnonzero(length > 8)
    if len(long):
        high, good_high = _eight(loaded(data, end[long] - 16), np.minimum(length[long] - 8, 8))
        values[long] += high * 1e8
        good[long] &= good_high
    return values, good


def _eight(word: Words, length: Ints) -> tuple[Floats, NDArray[np.bool_]]:
    """The value of the last `length` bytes of each word, highest byte last."""
    keep = _KEPT[8 - np.maximum(length, 0)]
    word = (word & keep) | (_ZEROS & ~keep)
    good = (((word + _UP) | (word - _ZEROS)) & _HIGH) == 0
    word = (word & _LOW_NIBBLES) * np.uint64(2561) >> np.uint64(8)
    word = (word & _PAIRS) * np.uint64(6553601) >> np.uint64(16)
    word = (word & _FOURS) * np.uint64(42949672960001) >> np.uint64(32)
    return word.astype(np.float64), good
