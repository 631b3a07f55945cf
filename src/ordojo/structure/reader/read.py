"""Reading an MPS file into arrays: free format, fixed where names hold blanks, packed or not."""

import importlib.util
import sys
from pathlib import Path

from ordojo.core.errors import DataError
from ordojo.structure.flat import Flat
from ordojo.structure.reader.parser import Parser
from ordojo.structure.reader.stream import MAX_BYTES, PACKED, UnreadableError, blocks

MAX_FIXED = 1 << 26
"""Bytes of a file in fixed format with blanks in names, which is read line by line."""

WORTH_LOADING = 100_000_000
"""Bytes of a file from which on the machine code makes up for the time that loading it takes."""

WORTH_USING = 1 << 16
"""Bytes of a file from which on the machine code is faster once it is loaded."""

_COMPILED = "ordojo.structure.reader.compiled"
_PACKING = 8
"""About how many times smaller a packed MPS file is."""


def read_mps(path: Path | str, max_bytes: int = MAX_BYTES, compiled: bool | None = None) -> Flat:
    """Read an MPS file (.gz, .xz and .bz2 too), as it stands: no number is changed.

    Raises DataError, in a sentence with the line's number, for whatever is not a whole model.
    Time and memory grow with the bytes that are there, never with what they declare. `compiled`
    asks for the machine code (extra `fast`) or forbids it; by default it is used where it is
    installed and the file is large, or where it is loaded already. The model is the same.
    """
    path = Path(path)
    if _worth(path) if compiled is None else compiled:
        from ordojo.structure.reader.compiled import Doubt, read_fast

        try:
            return read_fast(path, max_bytes)
        except Doubt:
            pass
    try:
        return _free(path, max_bytes)
    except UnreadableError:
        raise
    except DataError as error:
        from ordojo.structure.reader.fixed import FixedParser

        try:
            return FixedParser(path).read(min(max_bytes, MAX_FIXED))
        except DataError:
            raise error from None


def _worth(path: Path) -> bool:
    try:
        size = path.stat().st_size * (_PACKING if path.suffix in PACKED else 1)
    except OSError:
        return False
    if _COMPILED in sys.modules:
        return size >= WORTH_USING
    return size >= WORTH_LOADING and importlib.util.find_spec("numba") is not None


def _free(path: Path, max_bytes: int) -> Flat:
    parser = Parser(path)
    for block, first in blocks(path, max_bytes):
        parser.feed(block, first)
        if parser.done:
            break
    return parser.flat()
