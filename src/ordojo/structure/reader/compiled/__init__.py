"""The reader of MPS files as machine code, by numba; `read_fast` reads what is simply right."""

from pathlib import Path

from ordojo.core.errors import DataError
from ordojo.structure.flat import Flat
from ordojo.structure.reader.compiled.growing import scratch
from ordojo.structure.reader.compiled.parser import CompiledParser, Doubt
from ordojo.structure.reader.stream import blocks

__all__ = ["Doubt", "read_fast"]


def read_fast(path: Path, max_bytes: int) -> Flat:
    """Read an MPS file; raises Doubt for whatever is not simply right."""
    try:
        used = scratch()
        parser = CompiledParser(path, used, path.stat().st_size)
        for block, first in blocks(path, max_bytes, used.block):
            parser.feed(block, first)
            if parser.done:
                break
        flat = parser.flat()
        used.keep()
        return flat
    except (DataError, OSError) as error:
        raise Doubt from error
