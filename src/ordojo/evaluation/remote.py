"""Runs at any fsspec URL (S3, GCS, SFTP, ...): worked on in a copy here, kept there.

Object stores cannot append. So a folder of runs is fetched, its journals grow here, and every
`EVERY` seconds and at the end what has changed is put back. The writer's copy stays: what a killed
process had not put back yet is put back by the next one, as of two versions of a file the longer
one is newer. A note beside the runs says who writes, and is renewed with them.
"""

import json
import os
import socket
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from ordojo.core.canonical import digest
from ordojo.core.errors import OrdojoError, RunError
from ordojo.core.outputs import cache_root

EVERY = 10.0
"""Seconds between two times that changes are put back: so much is lost with a machine."""
STALE = 6 * EVERY
"""Seconds after which a writer that has not said a word is taken for dead."""
WRITER = "writer.json"
OBJECT_STORES = {"s3", "s3a", "gs", "gcs", "az", "abfs", "oss"}
"""Schemes without folders, where making one would make a bucket that nobody asked for."""


@contextmanager
def at_hand(place: str | Path, *, write: bool = True) -> Iterator[Path]:
    """A folder here for a path or URL; what is written in it is kept at the URL.

    Raises RunError where the URL cannot be used, or where another process writes to it.
    """
    if "://" not in str(place):
        yield Path(place)
        return
    url = str(place)
    if write:
        with _told(url):
            folder = _Written(url, cache_root() / "runs" / digest(url)[:16])
            folder.begin()
        try:
            yield folder.copy
        finally:
            with _told(url):
                folder.end()
        return
    with tempfile.TemporaryDirectory(prefix="ordojo-runs-") as copy:
        with _told(url):
            _Folder(url, Path(copy)).fetch()
        yield Path(copy)


@contextmanager
def all_at_hand(places: str | Path | Sequence[str | Path]) -> Iterator[list[Path]]:
    """Folders here for paths and URLs that are read."""
    several = [places] if isinstance(places, str | Path) else places
    with ExitStack() as stack:
        yield [stack.enter_context(at_hand(one, write=False)) for one in several]


@contextmanager
def _told(url: str) -> Iterator[None]:
    """Whatever a driver of fsspec raises (each its own), in one sentence."""
    try:
        yield
    except OrdojoError:
        raise
    except Exception as error:
        said = str(error).strip().partition("\n")[0] or type(error).__name__
        raise RunError(
            f"cannot use {url} ({said}); check the address, and the rights and credentials that "
            "its fsspec driver finds"
        ) from None


def _alive(pid: int) -> bool:
    """Whether a process of this machine lives."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # it is somebody else's
        return True
    return True


class _Folder:
    """A URL and its copy."""

    def __init__(self, url: str, copy: Path) -> None:
        from fsspec.core import url_to_fs  # its drivers take a second to load

        self.url, self.copy = url, copy
        self.store: Any
        self.store, self.root = url_to_fs(url, use_listings_cache=False)

    def fetch(self) -> None:
        """Bring here what is longer there."""
        with suppress(FileNotFoundError):
            for name, found in self.store.find(self.root, detail=True).items():
                file = self.copy / name.removeprefix(self.root).lstrip("/")
                if file.name == WRITER or (file.exists() and file.stat().st_size >= found["size"]):
                    continue
                file.parent.mkdir(parents=True, exist_ok=True)
                self.store.get_file(name, str(file))


class _Written(_Folder):
    def __init__(self, url: str, copy: Path) -> None:
        super().__init__(url, copy)
        self._me = {"host": socket.gethostname(), "pid": os.getpid()}
        self._note = f"{self.root}/{WRITER}"
        self._kept: dict[Path, tuple[int, int]] = {}
        self._over = threading.Event()
        self._keeper = threading.Thread(target=self._keep, daemon=True)

    def begin(self) -> None:
        """Fetch what is there, and put changes back from now on."""
        self._refuse_another()
        self._renew()
        self.fetch()
        self.copy.mkdir(parents=True, exist_ok=True)
        self._keeper.start()

    def end(self) -> None:
        """Put the last changes back, and let others write."""
        self._over.set()
        self._keeper.join()
        self._put()
        self.store.rm_file(self._note)

    def _refuse_another(self) -> None:
        with suppress(FileNotFoundError, ValueError, KeyError, TypeError):
            note = json.loads(self.store.cat_file(self._note))
            here = note["host"] == self._me["host"]
            dead = here and not _alive(int(note["pid"]))
            if not dead and time.time() - note["time"] < STALE:
                raise RunError(
                    f"{self.url} is being written by process {note['pid']} on {note['host']}: wait "
                    "for it, or give another URL"
                )

    def _renew(self) -> None:
        if self.url.partition("://")[0] not in OBJECT_STORES:
            self.store.makedirs(self.root, exist_ok=True)
        self.store.pipe_file(self._note, json.dumps({**self._me, "time": time.time()}).encode())

    def _keep(self) -> None:
        while not self._over.wait(EVERY):
            with suppress(Exception):  # which the last one tells, if it lasts
                self._renew()
                self._put()

    def _put(self) -> None:
        for file in sorted(self.copy.rglob("*")):
            if not file.is_file() or file.suffix in {".lock", ".tmp"}:
                continue
            found = file.stat()
            if self._kept.get(file) != (found.st_mtime_ns, found.st_size):
                self.store.put_file(str(file), f"{self.root}/{file.relative_to(self.copy)}")
                self._kept[file] = (found.st_mtime_ns, found.st_size)
