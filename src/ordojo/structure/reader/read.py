"""Reading an MPS file into arrays: free format, fixed where names hold blanks, packed or not."""

from pathlib import Path

from ordojo.core.errors import DataError
from ordojo.structure.flat import Flat
from ordojo.structure.reader.fixed import FixedParser
from ordojo.structure.reader.parser import Parser
from ordojo.structure.reader.stream import MAX_BYTES, UnreadableError, blocks

MAX_FIXED = 1 << 26
"""Bytes of a file in fixed format with blanks in names, which is read line by line."""


def read_mps(path: Path | str, max_bytes: int = MAX_BYTES) -> Flat:
    """Read an MPS file (.gz, .xz and .bz2 too), as it stands: no number is changed.

    Raises DataError, in a sentence with the line's number, for whatever is not a whole model.
    Time and memory grow with the bytes that are there, never with what they declare.
    """
    path = Path(path)
    try:
        return _free(path, max_bytes)
    except UnreadableError:
        raise
    except DataError as error:
        try:
            return FixedParser(path).read(min(max_bytes, MAX_FIXED))
        except DataError:
            raise error from None


def _free(path: Path, max_bytes: int) -> Flat:
    parser = Parser(path)
    for block, first in blocks(path, max_bytes):
        parser.feed(block, first)
        if parser.done:
            break
    return parser.flat()
