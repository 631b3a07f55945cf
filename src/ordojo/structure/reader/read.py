"""Reading an MPS file into arrays: free format, fixed where names hold blanks, packed or not."""

from pathlib import Path

import numpy as np

from ordojo.core.errors import DataError
from ordojo.structure.flat import Flat
from ordojo.structure.reader.parser import Parser
from ordojo.structure.reader.stream import (
    MAX_BYTES,
    PAD,
    Tokens,
    UnreadableError,
    blocks,
    lines,
    refusal,
)

_FIELDS = ((1, 3), (4, 12), (14, 22), (24, 36), (39, 47), (49, 61))
_BLANK = 0x1F
"""Stands for a blank within a name while the words are read; no text holds it."""


class FixedParser(Parser):
    """Feeds the words of the fields to the parser of the free format."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.batch: dict[int, list[tuple[list[bytes], int]]] = {}
        self.pending = 0

    def read(self, max_bytes: int) -> Flat:
        """Read the whole file; raises DataError as the free format does."""
        for number, line in lines(self.path, max_bytes):
            text = line.rstrip()
            if not text or text[:1] == b"*":
                continue
            if text[:1] not in (b" ", b"\t"):
                self._flush()
                words = text.split()
                self.header(words[0].decode("utf-8", "replace").upper(), words, text, number)
                if self.done:
                    break
            elif self.section in ("ROWS", "COLUMNS", "RHS", "RANGES", "BOUNDS"):
                words = self._words(text, number)
                self.batch.setdefault(len(words), []).append((words, number))
                self.pending += 1
                if self.pending > 10_000:
                    self._flush()
            elif self.sections and self.section not in ("NAME", "OBJNAME"):
                raise refusal(
                    self.path, number, f"stands in {self.section}, unknown in fixed format"
                )
            else:
                self.word(text.split()[0], number)
        self._flush()
        return self.flat()

    def _words(self, text: bytes, number: int) -> list[bytes]:
        if b"\t" in text:
            raise refusal(self.path, number, "holds a tab, so its fields are not known")
        fields = [text[low:high].strip() for low, high in _FIELDS]
        gaps = [text[3:4], text[12:14], text[22:24], text[36:39], text[47:49], text[61:]]
        if any(gap.strip() for gap in gaps):
            raise refusal(self.path, number, "has a word between the fields of the fixed format")
        if self.section == "ROWS":
            fields = fields[:2]
        elif self.section != "BOUNDS":
            fields = fields[1:]
        if self.section in ("RHS", "RANGES") and not fields[0]:
            fields[0] = b"RHS"
        while fields and not fields[-1]:
            fields.pop()
        if not all(fields):
            raise refusal(self.path, number, "leaves a field empty")
        return fields

    def _flush(self) -> None:
        groups = [_tokens(found) for _, found in sorted(self.batch.items())]
        self.batch, self.pending = {}, 0
        if groups:
            self.take(_shared(groups))


def _tokens(found: list[tuple[list[bytes], int]]) -> tuple[bytes, Tokens]:
    words = [word for line, _ in found for word in line]
    text = b"\n".join(words) + b"\n"
    lengths = np.array([len(word) for word in words])
    start = np.cumsum(lengths + 1) - lengths - 1
    shape = (len(found), len(found[0][0]))
    numbers = np.array([number for _, number in found])
    empty = np.zeros(0, np.uint8)
    return text, Tokens(empty, start.reshape(shape), (start + lengths).reshape(shape), numbers)


def _shared(groups: list[tuple[bytes, Tokens]]) -> list[Tokens]:
    """The groups over one padded text; places keep the order of lines within a group only."""
    pad = bytes(PAD)
    data = np.frombuffer(pad + b"".join(text for text, _ in groups) + pad, np.uint8)
    found, shift = [], PAD
    for text, tokens in groups:
        found.append(Tokens(data, tokens.start + shift, tokens.end + shift, tokens.line))
        shift += len(text)
    return found


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
