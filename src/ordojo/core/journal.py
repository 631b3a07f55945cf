"""An append-only file of JSON lines that survives `kill -9`, with one writer at a time."""

import fcntl
import json
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from io import FileIO
from pathlib import Path
from typing import IO, Any, Self

from ordojo.core.canonical import Json
from ordojo.core.errors import DataError, OrdojoError
from ordojo.core.files import LARGEST, open_file, parse_json

Row = dict[str, Any]
_BLOCK = 1 << 20
_encode = json.JSONEncoder(ensure_ascii=False).encode


def line(row: Mapping[str, Json]) -> bytes:
    """One row as the bytes of one line, its keys in their order: fields are shown in it.

    It is always UTF-8: half of a surrogate pair, which a model may write, is spelt as JSON does.
    """
    return _encode(row).encode("utf-8", "backslashreplace") + b"\n"


def read_rows(path: Path, error: type[OrdojoError] = DataError) -> list[Row]:
    """The rows of a file of JSON lines, none if it is absent; raises `error`."""

    def damaged(number: int) -> OrdojoError:
        told = f"{path}:{number} is not a JSON object: the file is damaged; restore it from a copy"
        return error(f"{told}, or delete that line")

    return [row for _, row in numbered_rows(path, damaged, error)] if path.exists() else []


def numbered_rows(
    path: Path, damaged: Callable[[int], OrdojoError], error: type[OrdojoError] = DataError
) -> Iterator[tuple[int, Row]]:
    """Each row of such a file with its line's number; raises `error`, or `damaged` of a line.

    A last line without its newline was never acknowledged to anyone, and is left out.
    """
    try:
        with open_file(path) as file:
            for number, text in enumerate(iter(lambda: file.readline(LARGEST), b""), 1):
                if not text.endswith(b"\n") and len(text) < LARGEST:
                    break
                try:
                    row = parse_json(text)
                except ValueError:
                    row = None
                if not isinstance(row, dict):
                    raise damaged(number)
                yield number, row
    except OSError as problem:
        raise error(f"cannot read {path}: {problem.strerror}") from None


class Journal:
    """The one writer of a file of JSON lines; `append` returns once the row is stored.

    Stored rows survive the death of the process; with `sync` each also survives that of the
    machine. Failures raise `error`.
    """

    def __init__(
        self, path: Path, *, sync: bool = True, error: type[OrdojoError] = DataError
    ) -> None:
        """Open `path` for writing, cutting off a torn last line; `error` if it is in use."""
        self.path = path
        self._sync, self._error = sync, error
        self._thread = threading.Lock()
        self._lock = _lock(path, error)
        try:
            self._file = _open(path, error)
            self._size = _cut_torn_line(self._file)
            self.rows = read_rows(path, error)
        except BaseException:
            self.close()
            raise

    def append(self, row: Mapping[str, Json]) -> None:
        """Add one row; raises the journal's error if it cannot be stored."""
        self.write(line(row))
        self.rows.append(dict(row))

    def write(self, data: bytes) -> None:
        """Add whole lines, as `line` spells them, all or none; `rows` does not get them."""
        with self._thread:
            try:
                written = 0
                while written < len(data):
                    written += self._file.write(data[written:])
                if self._sync:
                    os.fsync(self._file.fileno())
            except OSError as problem:
                # Half a line must not stay: the next row would be glued to it.
                self._file.truncate(self._size)
                raise self._error(
                    f"cannot write to {self.path} ({problem.strerror}): free the disk, then go on; "
                    "everything before is stored"
                ) from problem
            self._size += len(data)

    def close(self) -> None:
        """Give the file back."""
        if hasattr(self, "_file"):
            self._file.close()
        self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _lock(path: Path, error: type[OrdojoError]) -> IO[str]:
    # Held on a file beside the journal, which is never replaced, and released by any death.
    try:
        lock = path.with_name(path.name + ".lock").open("a+", encoding="utf-8")
    except OSError as problem:
        raise error(
            f"cannot write beside {path} ({problem.strerror}): check the folder's permissions"
        ) from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.seek(0)
        owner = lock.read().strip()
        lock.close()
        raise error(
            f"{path} is being written by another process (pid {owner or 'unknown'}): "
            "close it there, then try again"
        ) from None
    try:
        lock.truncate(0)
        lock.write(f"{os.getpid()}\n")
        lock.flush()
    except OSError as problem:
        with suppress(OSError):
            lock.close()
        raise error(f"{lock.name} is no file to write to ({problem.strerror}); move it") from None
    return lock


def _open(path: Path, error: type[OrdojoError]) -> FileIO:
    try:
        if path.exists() and not path.is_file():
            raise error(f"{path} is no file; move it away")
        return path.open("a+b", buffering=0)
    except OSError as problem:
        raise error(f"cannot write to {path}: {problem.strerror}") from None


def _cut_torn_line(file: IO[bytes]) -> int:
    size = file.seek(0, os.SEEK_END)
    while size:
        start = max(0, size - _BLOCK)
        file.seek(start)
        found = file.read(size - start).rfind(b"\n")
        size = start + found + 1
        if found >= 0:
            break
    file.truncate(size)
    return size
