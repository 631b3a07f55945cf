"""The bytes of a file, perhaps packed, in blocks of whole lines; bounded in time and memory."""

import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ordojo.core.errors import DataError
from ordojo.structure.flat import Bytes

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
    line, total, rest = 1, 0, 0
    packed = path.suffix in PACKED
    buffer = np.empty(MAX_LINE + BLOCK + 2 * PAD, np.uint8)
    buffer[:PAD] = 0
    view = buffer.data
    try:
        with _open(path) as file:
            while True:
                read = file.readinto(view[PAD + rest : PAD + rest + BLOCK])
                total += read
                if total > max_bytes:
                    raise refusal(
                        path, line, f"unpacks to more than {max_bytes} bytes", UnreadableError
                    )
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


PACKED: dict[str, Callable[..., Any]] = {".gz": gzip.open, ".xz": lzma.open, ".bz2": bz2.open}


def _open(path: Path) -> Any:
    opener = PACKED.get(path.suffix)
    return path.open("rb", buffering=0) if opener is None else opener(path, "rb")


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
