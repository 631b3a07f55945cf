"""The bytes of a file in blocks of whole lines, their words, and the numbers that words say."""

import lzma
import os
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ordojo.core.errors import DataError
from ordojo.core.files import PACKED, open_raw
from ordojo.structure.flat import Bytes, Floats, Ints

BLOCK = 1 << 18
MAX_LINE = 1 << 20
MAX_BYTES = 1 << 32
PAD = 64
"""Bytes before and behind a block, so that whole stretches may be looked at everywhere."""

Block = tuple[Bytes, int]
"""The bytes with PAD others before and behind, and the number of the first line."""


class UnreadableError(DataError):
    """What is no text, or too much of it: to read it another way does not help."""


def blocks(path: Path, max_bytes: int = MAX_BYTES) -> Iterator[Block]:
    """Yield blocks of whole lines; raises UnreadableError for what is no text or is too much.

    A block is valid until the next one is asked for.
    """
    line, rest = 1, 0
    packed = path.suffix in PACKED
    buffer = np.empty(MAX_LINE + BLOCK + 2 * PAD, np.uint8)
    buffer[:PAD] = 0
    view = buffer.data
    try:
        with open_raw(path, unpack=True, largest=max_bytes) as file:
            while True:
                read = file.readinto(view[PAD + rest : PAD + rest + BLOCK])
                filled = PAD + rest + read
                if not read and rest:
                    buffer[filled] = 10
                    filled += 1
                cut = _behind_last_line(buffer, filled)
                rest = filled - cut
                if rest > MAX_LINE:
                    raise refusal(path, line, f"is longer than {MAX_LINE} bytes", UnreadableError)
                if cut > PAD:
                    ends = _checked(path, buffer[PAD:cut], line)
                    yield buffer[: cut + PAD], line
                    line += ends
                    buffer[PAD : PAD + rest] = buffer[cut:filled].copy()
                if not read:
                    return
    except (EOFError, zlib.error, lzma.LZMAError) as error:
        raise refusal(path, line, f"cannot be unpacked ({error})", UnreadableError) from None
    except OSError as error:
        why = error.strerror or ("it is damaged" if packed else str(error))
        raise UnreadableError(f"cannot read {path.name}: {why}; give a readable file") from None


def refusal(path: Path, line: int, what: str, kind: type[DataError] = DataError) -> DataError:
    """The error of a line that is wrong."""
    return kind(f"{path.name}: line {line} {what}; correct the file")


def lines(path: Path, max_bytes: int = MAX_BYTES) -> Iterator[tuple[int, bytes]]:
    """Yield each line with its number, for the slow ways."""
    for block, first in blocks(path, max_bytes):
        text = block[PAD:-PAD].tobytes()
        yield from enumerate(text.split(b"\n")[:-1], first)


def _behind_last_line(buffer: Bytes, filled: int) -> int:
    """The place behind the last line that ends within `buffer[PAD:filled]`."""
    high = filled
    while high > PAD:
        low = max(PAD, high - 4096)
        end = buffer[low:high].tobytes().rfind(b"\n")
        if end >= 0:
            return low + end + 1
        high = low
    return PAD


def _checked(path: Path, body: Bytes, line: int) -> int:
    """How many lines end here; raises UnreadableError at a byte that no text holds."""
    ends = int(np.count_nonzero(body == 10))
    if int(np.count_nonzero(body < 32)) > ends:
        strange = (body < 9) | ((body - np.uint8(14)) < 18)
        if strange.any():
            at = int(np.argmax(strange))
            line += int(np.count_nonzero(body[:at] == 10))
            raise refusal(
                path, line, f"holds the byte {body[at]}, so this is no text", UnreadableError
            )
    return ends


Words = NDArray[np.uint64]
_MASKS = np.array([(1 << (8 * k)) - 1 for k in range(9)], np.uint64)
_MIX = np.uint64(0x9E3779B97F4A7C15)
_MIX2 = np.uint64(0xD6E8FEB86659FD93)
_HALF = np.uint64(32)
KEY = np.uint64(int.from_bytes(os.urandom(8), "little"))
"""Another one in each process, so that no file can hold names made to have equal hashes."""


@dataclass(frozen=True)
class Tokens:
    """The words `data[start:end]` of some lines with equally many words each.

    `start` and `end` have a row for each line; `line` holds the lines' numbers in the file.
    """

    data: Bytes
    start: Ints
    end: Ints
    line: Ints

    @property
    def count(self) -> int:
        """How many words each line has."""
        return int(self.start.shape[1])

    def hashes(self, k: int) -> Words:
        """The hash of word k of each line."""
        return hashed(self.data, self.start[:, k], self.end[:, k])

    def word(self, line: int, k: int) -> bytes:
        """Word k of a line as bytes."""
        return self.data[self.start[line, k] : self.end[line, k]].tobytes()

    def refusal(self, path: Path, line: int, k: int, what: str) -> DataError:
        """The error of a line; `{}` in `what` stands for its word k."""
        word = self.word(line, k).decode("utf-8", "replace")
        return refusal(path, int(self.line[line]), what.format(word))

    def take(self, kept: NDArray[Any]) -> "Tokens":
        """Only some of the lines."""
        return Tokens(self.data, self.start[kept], self.end[kept], self.line[kept])


def loaded(data: Bytes, at: Ints) -> Words:
    """The eight bytes from each place on, the first one lowest; data must be padded."""
    view: Words = np.ndarray((len(data) - 7,), "<u8", data, 0, (1,))
    found: Words = view[at]
    return found


def hashed(data: Bytes, start: Ints, end: Ints) -> Words:
    """A 64-bit hash of each word; equal words have equal hashes."""
    length = end - start
    first = loaded(data, start) & _MASKS[np.minimum(length, 8)]
    found: Words = (first ^ KEY ^ (length.astype(np.uint64) << np.uint64(56))) * _MIX
    found ^= found >> _HALF
    found *= _MIX2
    longest = int(length.max(initial=0))
    if longest <= 8:
        return found
    at, more = start, np.flatnonzero(length > 8)
    for done in range(8, longest, 8):
        if done > 8:
            more = more[length[more] > done]
        at = start[more] + done
        part = loaded(data, at) & _MASKS[np.minimum(length[more] - done, 8)]
        mixed = (found[more] ^ part) * _MIX
        mixed ^= mixed >> _HALF
        found[more] = mixed * _MIX2
    return found


def hash_of(word: bytes) -> np.uint64:
    """The hash of one word."""
    data = np.zeros(len(word) + 16, np.uint8)
    data[: len(word)] = np.frombuffer(word, np.uint8)
    return np.uint64(hashed(data, np.zeros(1, np.int64), np.array([len(word)]))[0])


def split(data: Bytes, low: int, high: int, ends: Ints, first_line: int) -> list[Tokens]:
    """The words of the lines in `data[low:high]`, lines with equally many words together.

    `ends` are the places of the line ends within; lines without words are left out.
    """
    blank = data[low - 1 : high] <= 32
    blank[0] = True
    edges = np.flatnonzero(blank[1:] != blank[:-1])
    start, end = edges[0::2] + low, edges[1::2] + low
    rows, total = len(ends), len(start)
    if rows and total and total % rows == 0:
        width = total // rows
        heads, tails = start[::width], end[width - 1 :: width]
        if bool((heads[1:] > ends[:-1]).all()) and bool((tails <= ends).all()):
            shape = (rows, width)
            numbers = np.arange(first_line, first_line + rows)
            return [Tokens(data, start.reshape(shape), end.reshape(shape), numbers)]
    after = np.searchsorted(start, ends)
    counts = np.diff(after, prepend=0)
    found = []
    for width in np.unique(counts[counts > 0]).tolist():
        which = np.flatnonzero(counts == width)
        index = (after[which] - width)[:, None] + np.arange(width)
        found.append(Tokens(data, start[index], end[index], which + first_line))
    return found


def in_order(parts: list[Tokens], lead: bool) -> Tokens:
    """Pairs of words, a line each, in the file's order; with `lead` the line's first word before.

    Lines with an odd number of words begin with one that is no part of a pair.
    """
    starts, ends, numbers, places = [], [], [], []
    for part in parts:
        for k in range(part.count % 2, part.count, 2):
            which = [0, k, k + 1] if lead else [k, k + 1]
            starts.append(part.start[:, which])
            ends.append(part.end[:, which])
            numbers.append(part.line)
            places.append(part.line * 8 + k)
    order = np.argsort(np.concatenate(places), kind="stable")
    found = [np.concatenate(some)[order] for some in (starts, ends, numbers)]
    return Tokens(parts[0].data, found[0], found[1], found[2])


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


class NumberReader:
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
