"""The bytes of a file, perhaps packed, in blocks of whole lines; bounded in time and memory."""

import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, cast

import numpy as np
from numpy.typing import NDArray

from ordojo.core.errors import DataError

BLOCK = 1 << 19
MAX_LINE = 1 << 20
MAX_BYTES = 1 << 32
PAD = 32

Block = tuple[NDArray[np.uint8], int]
"""The bytes with PAD zeros before and behind, and the number of the first line."""


def blocks(path: Path, max_bytes: int = MAX_BYTES) -> Iterator[Block]:
    """Yield blocks of whole lines; raises DataError for what is no text or is too much."""
    line, total, rest = 1, 0, b""
    packed = path.suffix in _OPENERS
    try:
        with _open(path) as file:
            while True:
                part = file.read(BLOCK)
                total += len(part)
                if total > max_bytes:
                    raise refusal(path, line, f"unpacks to more than {max_bytes} bytes")
                whole = rest + part if part else rest + b"\n" * (rest[-1:] not in (b"\n", b""))
                cut = whole.rfind(b"\n") + 1
                rest = whole[cut:]
                if len(rest) > MAX_LINE:
                    raise refusal(path, line, f"is longer than {MAX_LINE} bytes")
                if cut:
                    yield _padded(path, memoryview(whole)[:cut], line), line
                    line += whole.count(b"\n", 0, cut)
                if not part:
                    return
    except (EOFError, zlib.error, lzma.LZMAError) as error:
        raise refusal(path, line, f"cannot be unpacked ({error})") from None
    except OSError as error:
        why = error.strerror or ("it is damaged" if packed else str(error))
        raise DataError(f"cannot read {path.name}: {why}; give a readable file") from None


def refusal(path: Path, line: int, what: str) -> DataError:
    """The error of a line that is wrong."""
    return DataError(f"{path.name}: line {line} {what}; correct the file")


def lines(path: Path, max_bytes: int = MAX_BYTES) -> Iterator[tuple[int, bytes]]:
    """Yield each line with its number, for the slow ways."""
    for block, first in blocks(path, max_bytes):
        text = block[PAD:-PAD].tobytes()
        yield from enumerate(text.split(b"\n")[:-1], first)


_OPENERS: dict[str, Callable[..., Any]] = {".gz": gzip.open, ".xz": lzma.open, ".bz2": bz2.open}


def _open(path: Path) -> IO[bytes]:
    opener = _OPENERS.get(path.suffix)
    return path.open("rb", buffering=0) if opener is None else cast("IO[bytes]", opener(path, "rb"))


def _padded(path: Path, text: memoryview, line: int) -> NDArray[np.uint8]:
    block = np.zeros(len(text) + 2 * PAD, np.uint8)
    block[PAD:-PAD] = np.frombuffer(text, np.uint8)
    body = block[PAD:-PAD]
    strange = (body < 9) | ((body - np.uint8(14)) < 18)
    if strange.any():
        at = int(np.argmax(strange))
        line += int(np.count_nonzero(body[:at] == 10))
        raise refusal(path, line, f"holds the byte {body[at]}, so this is no text")
    return block
