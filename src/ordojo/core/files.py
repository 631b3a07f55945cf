"""Reading what users give: one opener of files, and JSON without bottom; tables of the package.

A file is a regular one, lies where it may, and has an end: a pipe, a device, a link that leads
out, a bomb or too much of anything is an error like others, and none is waited for.
"""

import contextlib
import errno
import io
import os
import stat
import time
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from importlib import import_module
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:  # who reads a small file waits longer for modules than for the file
    from pathlib import Path

LARGEST = 1 << 28
"""Bytes of a file that is read as a whole: ten times the largest published dataset."""
PACKED = {".gz": ("gzip", 50), ".bz2": ("bz2", 90), ".xz": ("lzma", 200)}
"""The module that packs files, by their last suffix, and to less than how many times their size
they unpack: thrice what was met in the most regular models (17, 30 and 72 times)."""
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

    def __init__(self, why: str, path: "Path | str") -> None:
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
    path: "Path | str",
    *,
    unpack: bool = False,
    largest: int | None = None,
    within: Sequence["Path"] = (),
) -> io.BufferedReader:
    """A regular file, to be read as bytes; with `unpack` those that its suffix says are packed.

    Raises OSError, at once or while it is read, without an `errno` where what is packed is damaged:
    FileRefusedError for a pipe, a socket, a device, a file of the kernel's, one that lies, its
    links followed, in none of the folders `within`, or one that has more than `largest` bytes,
    packed or unpacked.
    """
    path = os.fspath(path)
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
    packer, ratio = PACKED.get(os.path.splitext(path)[1].lower(), ("", 0)) if unpack else ("", 0)
    if packer:
        bounds.append(max(ROOM, ratio * size))
    found = BoundedFile(path, file, packer, min(bounds, default=None), end, seconds)
    if packer and min(bounds) > ROOM:
        found.weigh()
    return io.BufferedReader(found, 1 << 16)


class BoundedFile(io.RawIOBase):
    """A file that ends with an error where it has more bytes than it may, or takes too long."""

    def __init__(
        self,
        path: str,
        file: io.FileIO,
        packer: str,
        largest: int | None,
        end: float,
        seconds: float,
    ) -> None:
        super().__init__()
        self._path, self._packer, self._largest = path, packer, largest
        self._end, self._seconds = end, seconds
        self._file: IO[bytes] | io.FileIO = file
        self._damage: tuple[type[Exception], ...] = ()
        if packer:
            import lzma
            import zlib

            self._file = io.BufferedReader(file, 1 << 16)
            self._damage = EOFError, zlib.error, lzma.LZMAError
        self._begin()

    def _begin(self) -> None:
        self._source: Any = self._file
        if self._packer:
            self._source = import_module(self._packer).open(self._file)
        self._read = 0

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer as far as there are bytes; raises FileRefusedError."""
        try:
            count = int(self._source.readinto(buffer))
        except self._damage as error:
            raise OSError(str(error)) from None
        self._read += count
        if self._largest is not None and self._read > self._largest:
            raise _too_large(self._path, self._largest, "unpacks to" if self._packer else "has")
        if self._end and time.monotonic() > self._end:
            raise FileRefusedError(f"it is not read within {self._seconds:g} seconds", self._path)
        return count

    def weigh(self) -> None:
        """Unpack it to its end once, and begin anew; raises FileRefusedError, and closes it then.

        That takes a small part of the time that parsing takes: a bomb is told before it.
        """
        room = bytearray(1 << 20)
        try:
            while self.readinto(room):
                pass
        except OSError as error:
            if error.errno is not None:  # damage has none: it is met again as the file is read
                self.close()
                raise
        self._file.seek(0)
        self._begin()

    def close(self) -> None:
        """Give it back."""
        if not self.closed:
            self._source.close()
            self._file.close()
        super().close()


def _opened(path: str) -> int:
    """A descriptor, without waiting for anyone at the other end of a pipe."""
    try:
        return os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    except OSError as error:
        if error.errno in (errno.ENXIO, errno.ENODEV):
            raise FileRefusedError("it is a socket or a device, and no file", path) from None
        raise


def _regular(descriptor: int, path: str, within: Sequence["Path"]) -> int:
    """The size of an open file; raises OSError where it is none, or lies where it may not."""
    known = os.fstat(descriptor)
    kind = stat.S_IFMT(known.st_mode)
    if kind == stat.S_IFDIR:
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if kind != stat.S_IFREG:
        raise FileRefusedError(f"it is {_KINDS.get(kind, 'something else')}, and no file", path)
    place = _place(descriptor, path)
    if is_kernels(place):
        raise FileRefusedError("it is a file of the kernel's, which has no end", path)
    if within and not any(_within(place, os.path.realpath(folder)) for folder in within):
        raise FileRefusedError(f"it is a link that leads out of {within[0]}", path)
    return known.st_size


def _place(descriptor: int, path: str) -> str:
    """Where an open file lies, its links followed: by the kernel's word, where it gives one."""
    with contextlib.suppress(OSError):
        said = os.readlink(f"/proc/self/fd/{descriptor}")
        if os.path.isabs(said):
            return said
    return os.path.realpath(path)


def _within(place: str, folder: str) -> bool:
    return place == folder or place.startswith(f"{folder.rstrip('/')}/")


def is_kernels(place: str) -> bool:
    """Whether a place, its links followed, is the kernel's own; memory that is shared is not."""
    return any(_within(place, top) for top in _KERNELS) and not _within(place, "/dev/shm")


def files_below(folder: "Path") -> Iterator["Path"]:
    """The files below a folder, in the order of their paths; links to folders are not followed.

    Raises FileRefusedError for a folder of the kernel's, or one with more than MOST_FILES files.
    """
    from pathlib import Path

    if is_kernels(str(folder.resolve())):
        raise FileRefusedError("it is a folder of the kernel's, which has no end", folder)
    count = 0
    for root, folders, names in os.walk(folder):
        folders.sort()
        count += len(names) + len(folders)
        if count > MOST_FILES:
            raise FileRefusedError(f"it has more than {MOST_FILES:,} files", folder)
        yield from (path for path in map(Path(root).joinpath, sorted(names)) if path.is_file())


def _too_large(path: str, largest: int, has: str = "has") -> FileRefusedError:
    return FileRefusedError(f"it {has} more than {largest:,} bytes", path)


def check_file(path: "Path | str") -> None:
    """Raise OSError where there is no regular file: before a library opens it, and waits."""
    open_file(path).close()


def read_bytes(
    path: "Path | str",
    *,
    unpack: bool = False,
    largest: int = LARGEST,
    within: Sequence["Path"] = (),
) -> bytes:
    """The file's bytes; raises OSError as `open_file` does."""
    with open_file(path, unpack=unpack, largest=largest, within=within) as file:
        return file.read()


def read_text(path: "Path | str") -> str:
    """The file as UTF-8, a mark at its beginning left out; raises OSError and UnicodeDecodeError.

    Every line ends in a line feed, as Python's text files have it.
    """
    text = read_bytes(path).decode("utf-8-sig")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def pack(data: bytes, suffix: str) -> bytes:
    """The bytes of a file with this last suffix, which says how they are packed, if at all."""
    packer, _ = PACKED.get(suffix.lower(), ("", 0))
    if not packer:
        return data
    dated = {"mtime": 0} if packer == "gzip" else {}  # the same bytes at any time
    return bytes(import_module(packer).compress(data, **dated))


def shipped_table(package: str, name: str) -> list[dict[str, str]]:
    """The rows of a table of comma-separated values that lies in a package."""
    import csv  # most files are none of a package's
    from importlib import resources

    text = resources.files(package).joinpath(name).read_text("utf-8")
    return list(csv.DictReader(text.splitlines()))


def parse_json(text: str | bytes) -> Any:
    """What JSON says; raises ValueError, also where it is nested too deep."""
    import json

    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deep") from None
