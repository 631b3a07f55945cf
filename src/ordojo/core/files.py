"""Reading what users give: one opener of files, JSON without bottom, and rows of JSONL and CSV.

A file is a regular one, lies where it may, and has an end: a pipe, a device, a link that leads
out, a bomb or too much of anything is an error like others, and none is waited for.
"""

import bz2
import contextlib
import errno
import gzip
import io
import json
import lzma
import os
import stat
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import IO, Any

from ordojo.core.errors import DataError, UsageError

LARGEST = 1 << 28
"""Bytes of a file that is read as a whole: ten times the largest published dataset."""
PACKED: dict[str, tuple[Callable[[IO[bytes]], Any], int]] = {
    ".gz": (lambda file: gzip.GzipFile(fileobj=file), 50),
    ".bz2": (bz2.BZ2File, 90),
    ".xz": (lzma.LZMAFile, 200),
}
"""How files are unpacked, by their last suffix, and to less than how many times their size: thrice
what was met in the most regular models (17, 30 and 72 times)."""
ROOM = 1 << 26
"""Any packed file may unpack to 64 MiB, which are parsed in a few seconds."""
LEAST_SECONDS = 10.0
"""A file is given so long to be read, however short a command's limit is."""

MOST_FILES = 10_000
"""Files of a folder that is given as a whole: as many as a program may have."""

_KERNELS = ("/proc", "/sys", "/dev")
"""Where the kernel's own files are, which say that they are regular and empty."""
_KINDS = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


class FileRefusedError(OSError):
    """What is no file to be read, or too much of one; its `strerror` says so to a user."""

    def __init__(self, why: str, path: Path | str) -> None:
        super().__init__(errno.EINVAL, why, str(path))


_BOUNDS: ContextVar[tuple[float, float, int | None]] = ContextVar("bounds", default=(0, 0, None))
"""By when files must be read, how many seconds that was, and the most bytes; 0 and None: any."""


@contextlib.contextmanager
def reading(seconds: float, largest: int | None = None) -> Iterator[None]:
    """Have files that are opened within read in so many seconds, and of at most `largest` bytes.

    The bytes are counted as they lie on the disk, and again as they are unpacked. Within another
    one the narrower bounds hold.
    """
    seconds = max(seconds, LEAST_SECONDS)
    end, outer, most = _BOUNDS.get()
    if not end or time.monotonic() + seconds < end:
        end, outer = time.monotonic() + seconds, seconds
    if most is None or (largest is not None and largest < most):
        most = largest
    token = _BOUNDS.set((end, outer, most))
    try:
        yield
    finally:
        _BOUNDS.reset(token)


def open_file(
    path: Path | str,
    *,
    unpack: bool = False,
    largest: int | None = None,
    within: Sequence[Path] = (),
) -> io.BufferedReader:
    """A regular file, to be read as bytes; with `unpack` those that its suffix says are packed.

    Raises OSError, at once or while it is read: FileRefusedError for a pipe, a socket, a device, a
    file of the kernel's, one that lies, its links followed, in none of the folders `within`, or one
    that has more than `largest` bytes, packed or unpacked.
    """
    path = Path(path)
    descriptor = _opened(path)
    end, seconds, most = _BOUNDS.get()
    bounds = [bound for bound in (largest, most) if bound is not None]
    try:
        size = _regular(descriptor, path, within)
        if bounds and size > min(bounds):
            raise _too_large(path, min(bounds))
    except BaseException:
        os.close(descriptor)
        raise
    file = io.FileIO(descriptor, "rb")
    if not unpack or path.suffix.lower() not in PACKED:
        found = BoundedFile(path, file, file, min(bounds, default=None), "has", end, seconds)
        return io.BufferedReader(found, 1 << 16)
    unpacked, ratio = PACKED[path.suffix.lower()]
    bounds.append(max(ROOM, ratio * size))
    packed = io.BufferedReader(file, 1 << 16)
    found = BoundedFile(path, packed, unpacked(packed), min(bounds), "unpacks to", end, seconds)
    if min(bounds) > ROOM:
        found.weigh(unpacked)
    return io.BufferedReader(found, 1 << 16)


class BoundedFile(io.RawIOBase):
    """A file that ends with an error where it has more bytes than it may, or takes too long."""

    def __init__(
        self,
        path: Path,
        file: IO[bytes],
        source: Any,
        largest: int | None,
        has: str,
        end: float,
        seconds: float,
    ) -> None:
        super().__init__()
        self._path, self._file, self._source = path, file, source
        self._largest, self._has, self._end, self._seconds = largest, has, end, seconds
        self._read = 0

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer as far as there are bytes; raises FileRefusedError."""
        count = int(self._source.readinto(buffer))
        self._read += count
        if self._largest is not None and self._read > self._largest:
            raise _too_large(self._path, self._largest, self._has)
        if self._end and time.monotonic() > self._end:
            raise FileRefusedError(f"it is not read within {self._seconds:g} seconds", self._path)
        return count

    def weigh(self, unpacked: Callable[[IO[bytes]], Any]) -> None:
        """Unpack it to its end once, and begin anew; raises FileRefusedError, and closes it then.

        That takes a small part of the time that parsing takes: a bomb is told before it.
        """
        room = bytearray(1 << 20)
        try:
            with contextlib.suppress(EOFError, zlib.error, lzma.LZMAError):
                while self.readinto(room):
                    pass
        except OSError as error:
            if error.errno is not None:  # damage has none: it is met again as the file is read
                self.close()
                raise
        self._file.seek(0)
        self._source, self._read = unpacked(self._file), 0

    def close(self) -> None:
        """Give it back."""
        if not self.closed:
            self._source.close()
            self._file.close()
        super().close()


def _opened(path: Path) -> int:
    """A descriptor, without waiting for anyone at the other end of a pipe."""
    try:
        return os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    except OSError as error:
        if error.errno in (errno.ENXIO, errno.ENODEV):
            raise FileRefusedError("it is a socket or a device, and no file", path) from None
        raise


def _regular(descriptor: int, path: Path, within: Sequence[Path]) -> int:
    """The size of an open file; raises OSError where it is none, or lies where it may not."""
    known = os.fstat(descriptor)
    kind = stat.S_IFMT(known.st_mode)
    if kind == stat.S_IFDIR:
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if kind != stat.S_IFREG:
        raise FileRefusedError(f"it is {_KINDS.get(kind, 'something else')}, and no file", path)
    place = _place(descriptor, path)
    if is_kernels(place):
        raise FileRefusedError("it is a file of the kernel's, which has no end", path)
    if within and not any(place.is_relative_to(folder.resolve()) for folder in within):
        raise FileRefusedError(f"it is a link that leads out of {within[0]}", path)
    return known.st_size


def _place(descriptor: int, path: Path) -> Path:
    """Where an open file lies, its links followed: by the kernel's word, where it gives one."""
    with contextlib.suppress(OSError):
        said = Path(f"/proc/self/fd/{descriptor}").readlink()
        if said.is_absolute():
            return said
    return path.resolve()


def is_kernels(place: Path) -> bool:
    """Whether a place, its links followed, is the kernel's own; memory that is shared is not."""
    here = place.as_posix()
    inside = any(here == top or here.startswith(f"{top}/") for top in _KERNELS)
    return inside and not here.startswith("/dev/shm/")


def files_below(folder: Path) -> Iterator[Path]:
    """The files below a folder, in the order of their paths; links to folders are not followed.

    Raises FileRefusedError for a folder of the kernel's, or one with more than MOST_FILES files.
    """
    if is_kernels(folder.resolve()):
        raise FileRefusedError("it is a folder of the kernel's, which has no end", folder)
    count = 0
    for root, folders, names in os.walk(folder):
        folders.sort()
        count += len(names) + len(folders)
        if count > MOST_FILES:
            raise FileRefusedError(f"it has more than {MOST_FILES:,} files", folder)
        yield from (path for path in map(Path(root).joinpath, sorted(names)) if path.is_file())


def _too_large(path: Path, largest: int, has: str = "has") -> FileRefusedError:
    return FileRefusedError(f"it {has} more than {largest:,} bytes", path)


def check_file(path: Path | str) -> None:
    """Raise OSError where there is no regular file: before a library opens it, and waits."""
    open_file(path).close()


def read_bytes(
    path: Path | str, *, unpack: bool = False, largest: int = LARGEST, within: Sequence[Path] = ()
) -> bytes:
    """The file's bytes; raises OSError as `open_file` does."""
    with open_file(path, unpack=unpack, largest=largest, within=within) as file:
        return file.read()


def read_text(path: Path | str) -> str:
    """The file as UTF-8, a mark at its beginning left out; raises OSError and UnicodeDecodeError.

    Every line ends in a line feed, as Python's text files have it.
    """
    text = read_bytes(path).decode("utf-8-sig")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def shipped_table(package: str, name: str) -> list[dict[str, str]]:
    """The rows of a table of comma-separated values that lies in a package."""
    import csv  # most files are none of a package's
    from importlib import resources

    text = resources.files(package).joinpath(name).read_text("utf-8")
    return list(csv.DictReader(text.splitlines()))


def parse_json(text: str | bytes) -> Any:
    """What JSON says; raises ValueError, also where it is nested too deep."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deep") from None


Row = dict[str, Any]


def parse_file(path: Path, name: str = "") -> list[tuple[str, Row]]:
    """Every row of a file with its "file:line"; the suffix of `name`, or of `path`, tells how.

    Raises DataError for a file that cannot be read, decoded or parsed, or has no rows, and
    UsageError for one that is neither JSONL nor CSV.
    """
    suffix = Path(name or path.name).suffix.lower()
    if suffix not in PARSERS:
        raise UsageError(f"{path} is neither a .jsonl nor a .csv file; convert it to one of them")
    try:
        data = read_bytes(path)
    except FileNotFoundError:
        raise DataError(f"there is no file {path}; check the path") from None
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror}; check its permissions") from error
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DataError(f"{path}:{line} is not UTF-8; save the file as UTF-8") from None
    rows = [(f"{path}:{line}", row) for line, row in PARSERS[suffix](text, path)]
    if not rows:
        raise DataError(f"{path} has no rows; give a file with at least one item")
    return rows


def json_lines(text: str, path: Path, advice: str) -> Iterator[tuple[int, Any]]:
    """The value of each line with its number; raises DataError, with the advice, for a torn one."""
    # Not splitlines: JSON texts may hold U+2028 and its like.
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield number, parse_json(line)
            except ValueError as error:
                raise DataError(
                    f"{path}:{number} is not a whole JSON object ({error}); {advice}"
                ) from None


def _parse_jsonl(text: str, path: Path) -> Iterator[tuple[int, Row]]:
    for number, row in json_lines(text, path, "the file may be cut off there: get it again"):
        if not isinstance(row, dict):
            raise DataError(f"{path}:{number} is not a JSON object; give one object a line")
        yield number, row


def _parse_csv(text: str, path: Path) -> Iterator[tuple[int, Row]]:
    import csv

    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    header: list[str] | None = None
    number = 1
    try:
        for cells in reader:
            if header is None:
                header = cells
            elif cells and len(cells) != len(header):
                raise DataError(
                    f"{path}:{number} has {len(cells)} cells where the header has {len(header)}; "
                    "check its quotes and commas"
                )
            elif cells:
                yield number, dict(zip(header, cells, strict=True))
            number = reader.line_num + 1
    except csv.Error as error:
        raise DataError(
            f"{path}:{number} is not valid CSV ({error}); check its quotes and commas"
        ) from None


PARSERS: dict[str, Callable[[str, Path], Iterator[tuple[int, Row]]]] = {
    ".jsonl": _parse_jsonl,
    ".csv": _parse_csv,
}
