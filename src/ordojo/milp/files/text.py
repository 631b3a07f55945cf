"""The bytes of a model file in blocks of whole lines, and the sentence of a place that is wrong."""

import errno
import os
from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any

import numpy as np

from ordojo.core.errors import DataError
from ordojo.core.files import LARGEST, PACKED, open_file
from ordojo.milp.model import Ints

BLOCK = 1 << 20
"""Bytes that are read at once: more is no faster, and their words take twelve times the room."""
_FIRST = 1 << 16
"""Bytes that are read first: to make room for a block takes longer than to read a small file."""
MAX_LINE = 1 << 24
"""Bytes of a line: a row of a million terms has fewer; more would be held in memory at once."""
_STRANGE = bytes({*range(32)} - set(b"\t\n\r\v\f"))
"""What no text holds."""
_MARK = b"\xef\xbb\xbf"
"""What some editors put before UTF-8 text."""


class UnreadableError(DataError):
    """What is no text, or too much of it: to read it another way does not help."""


def bare(path: str) -> tuple[str, str]:
    """A file's name without its endings, and that of its format, such as `.mps`."""
    name, dot, ending = os.path.basename(path).rpartition(".")
    if f".{ending.lower()}" in PACKED:
        name, dot, ending = name.rpartition(".")
    return name, dot + ending.lower()


def is_lp(path: str, there: bool = False) -> bool:
    """Whether the name is that of an LP file, not of an MPS file; raises DataError for others.

    One that must be `there` and is not is told as that, whatever its name.
    """
    ending = bare(path)[1]
    if ending not in (".lp", ".mps"):
        if there:
            next(blocks(path))
        why = "ends in neither .mps nor .lp, nor these with .gz, .bz2 or .xz"
        raise refused(path, why, "rename it")
    return ending == ".lp"


def refused(path: str, why: str, advice: str, kind: type[DataError] = DataError) -> DataError:
    """The error of a whole file."""
    return kind(f"{os.path.basename(path)} {why}; {advice}")


def wrong(
    path: str, line: int, column: int, what: str, advice: str = "correct the file"
) -> DataError:
    """The error of a place, both from 1; column 0 means the whole line."""
    place = f"line {line}, column {column}" if column else f"line {line}"
    return DataError(f"{os.path.basename(path)}: {place}: {what}; {advice}")


def encoding(path: str, before: bytes, line: int = 1) -> DataError:
    """The error of a byte that is not UTF-8, behind these of the text from a line on."""
    line, column = line + before.count(b"\n"), len(before) - before.rfind(b"\n")
    return wrong(path, line, column, "this is not UTF-8 text", "save it as UTF-8")


def blocks(path: str, largest: int = LARGEST) -> Iterator[bytes]:
    """Yield the text, perhaps packed, in blocks of whole lines, each ended, of some `BLOCK` bytes.

    Raises UnreadableError for what is no file or no text, is damaged, or has more than `largest`
    bytes, packed or not.
    """
    rest, empty, size = b"", True, _FIRST
    try:
        with open_file(path, unpack=True, largest=largest) as file:
            while read := file.read(size):
                size = BLOCK if len(read) == size else size
                if empty:
                    read, empty = read.removeprefix(_MARK), False
                if len(read.translate(None, _STRANGE)) < len(read):
                    raise refused(path, "is not text", "give an MPS or LP file", UnreadableError)
                read = rest + read
                cut = read.rfind(b"\n") + 1
                rest = read[cut:]
                if len(rest) > MAX_LINE:
                    raise refused(
                        path,
                        f"has a line longer than {MAX_LINE:,} bytes",
                        "split it",
                        UnreadableError,
                    )
                if cut:
                    yield read[:cut]
    except FileNotFoundError:
        raise UnreadableError(f"there is no file {path}; check the name") from None
    except IsADirectoryError:
        raise UnreadableError(f"{path} is a directory; name an MPS or LP file in it") from None
    except OSError as error:
        if error.errno is None:
            raise refused(
                path, f"is damaged ({error})", "fetch it again", UnreadableError
            ) from None
        if error.errno == errno.ENAMETOOLONG:
            start = os.path.basename(path)[:40]
            raise UnreadableError(f"there is no file {start}...; check the name") from None
        raise UnreadableError(f"cannot read {path}: {error.strerror}; check the file") from error
    if empty:
        raise refused(path, "is empty", "give an MPS or LP file", UnreadableError)
    if rest:
        yield rest + b"\n"


def numbered(known: Mapping[Any, int], names: Sequence[Any]) -> Ints:
    """The numbers of names; raises KeyError where one is unknown."""
    if len(names) < 2:  # of which `itemgetter` makes no tuple
        return np.array([known[name] for name in names], np.int32)
    return np.array(itemgetter(*names)(known), np.int32)


class WordError(Exception):
    """The word with this number in the lines at hand is wrong: what a reader's refusal says."""

    def __init__(self, word: int, what: str) -> None:
        self.word, self.what = word, what
