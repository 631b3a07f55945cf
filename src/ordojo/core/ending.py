"""How a command ends: by itself or by any signal, it leaves no process, folder or lock.

Everything temporary lies in one folder of the command, by way of TMPDIR also what its children
make. The command removes it; where it cannot, a watcher does, which hears of every death because
a pipe closes; where both are killed, the next command does, which finds the folder's lock free.
"""

import contextlib
import ctypes
import fcntl
import os
import secrets
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

from ordojo.core.errors import UsageError

PREFIX = "ordojo-command-"
BESIDE = "beside"
"""Folder of links to the folders elsewhere that are removed with the command's own."""
DRAFT, FORMER = "ordojo-draft-", "former"
"""In the name of a folder of drafts; within it, what stood where a draft is to stand."""
LONGEST = 40
"""Characters of an output's name that the name of its drafts repeats: names have an end."""
GRACE = 3
"""Seconds in which a command may end in order after a signal: below 5, in which all is gone."""
SIGNALS = (signal.SIGTERM, signal.SIGHUP)
"""Signals that end a command as Ctrl-C does, which Python has a handler for."""

_WATCHER = """
trap '' INT TERM HUP
asked=$(printf '[\\001\\002\\017]0')
while told=$(head -c 1; echo $?); [ "$told" != 0 ]; do
  case $told in $asked) sleep "$3"; kill -9 "$2";; esac
done
for link in "$1"/beside/*; do
  if [ -L "$link" ]; then rm -rf -- "$(readlink "$link")"; fi
done
for again in 1 2 3 4; do rm -rf -- "$1" && break; sleep 1; done
"""
"""Reads the numbers of the command's signals: after one, the command has `GRACE` seconds to end.

`told` is a byte and the exit code of `head`; 0 alone is the end of the pipe: the command has ended.
Its children may still be dying then, and writing.
"""
_AT_CWD = -100
_EXCHANGE = 2

_folder: Path | None = None


class Stopped(KeyboardInterrupt):
    """A signal asked the command to end; `code` is the exit code that shells have for it."""

    def __init__(self, number: int) -> None:
        super().__init__(f"stopped by {signal.Signals(number).name}")
        self.code = 128 + number


@contextlib.contextmanager
def ending() -> Iterator[None]:
    """The block is a command: what it leaves in temporary folders goes with it, however it ends.

    SIGTERM and SIGHUP raise Stopped, a KeyboardInterrupt, unless they were ignored before. Raises
    UsageError where there is no temporary folder to write to.
    """
    global _folder
    before = os.environ.get("TMPDIR"), tempfile.tempdir
    with _command() as folder, _watched(folder) as pipe:
        heard = [n for n in SIGNALS if signal.getsignal(n) is not signal.SIG_IGN]
        handlers = {number: signal.signal(number, _stop) for number in heard}
        woken = signal.set_wakeup_fd(pipe, warn_on_full_buffer=False)
        _folder, os.environ["TMPDIR"], tempfile.tempdir = folder, str(folder), str(folder)
        try:
            yield
        finally:
            _folder, tempfile.tempdir = None, before[1]
            if before[0] is None:
                del os.environ["TMPDIR"]
            else:
                os.environ["TMPDIR"] = before[0]
            _remove(folder)
            signal.set_wakeup_fd(woken)
            for number, handler in handlers.items():
                signal.signal(number, handler)


def _stop(number: int, frame: FrameType | None) -> None:
    raise Stopped(number)


@contextlib.contextmanager
def _command() -> Iterator[Path]:
    """The command's own folder, those of the dead removed."""
    try:
        with contextlib.ExitStack() as held:
            folder = _unused(Path(tempfile.gettempdir()), PREFIX)
            held.enter_context(_claimed(folder, PREFIX, _remove))
            # Programs of other users in the sandbox pass through it.
            folder.chmod(0o711)
            (folder / BESIDE).mkdir()
            whole = held.pop_all()
    except OSError as error:
        raise UsageError(
            f"there is no temporary folder to write to ({error.strerror or error}); free some "
            "space, or set TMPDIR to another folder"
        ) from None
    with whole:
        yield folder


def _unused(place: Path, prefix: str) -> Path:
    """Where a new folder shall be, known before it is made: no signal comes between the two."""
    return place / f"{prefix}{secrets.token_hex(6)}"


@contextlib.contextmanager
def _claimed(folder: Path, prefix: str, remove: Callable[[Path], None]) -> Iterator[None]:
    """The folder, new, with a lock that its owner's death frees; those of the dead are removed.

    It goes with the block. Raises OSError.
    """
    with os.scandir(folder.parent) as entries:
        former = [Path(entry.path) for entry in entries if entry.name.startswith(prefix)]
    for old in former:
        _sweep(old, remove)
    try:
        folder.mkdir(0o700)
        with (folder / "lock.new").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            # Only now may a sweeper see it.
            (folder / "lock.new").rename(folder / "lock")
            yield
    finally:
        remove(folder)


def _sweep(folder: Path, remove: Callable[[Path], None]) -> None:
    with contextlib.suppress(OSError):
        if folder.lstat().st_uid != os.geteuid():
            return
        descriptor = os.open(folder / "lock", os.O_RDWR | os.O_NOFOLLOW)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            remove(folder)
        finally:
            os.close(descriptor)


def _remove(folder: Path) -> None:
    for link in (folder / BESIDE).glob("*"):
        if link.is_symlink():
            shutil.rmtree(link.readlink(), ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def _watched(folder: Path) -> Iterator[int]:
    """A process that outlives this one, to clear up; what to write the numbers of signals to."""
    command = ["/bin/sh", "-c", _WATCHER, "sh", str(folder), str(os.getpid()), str(GRACE)]
    # The reading end stays open here: a signal after the watcher's death has nowhere to go, and
    # must not be an error.
    reading, writing = os.pipe()
    watcher = subprocess.Popen(
        command,
        stdin=reading,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        start_new_session=True,
    )
    os.set_blocking(writing, False)
    try:
        yield writing
    finally:
        with contextlib.suppress(OSError):
            os.killpg(watcher.pid, signal.SIGKILL)
        watcher.wait()
        os.close(reading)
        os.close(writing)


@contextlib.contextmanager
def beside(path: Path) -> Iterator[Path]:
    """A temporary folder on the disk of `path`, for drafts that then take its place.

    Goes with the block, and with the command where that is killed; where its watcher is killed too,
    or there is none, the next one beside `path` removes it. Raises OSError.
    """

    def remove(folder: Path) -> None:
        _put_back(folder, path)
        shutil.rmtree(folder, ignore_errors=True)

    prefix = f".{path.name[:LONGEST]}.{DRAFT}"
    folder = _unused(path.parent, prefix)
    link = _link(folder)
    try:
        if link:
            link.symlink_to(folder.resolve())
        with _claimed(folder, prefix, remove):
            yield folder
    finally:
        # A signal may have come as it was removed: then it is the command's to remove.
        if link and not folder.exists():
            link.unlink(missing_ok=True)


def _link(folder: Path) -> Path | None:
    """What names the folder to the command's watcher; a shell passes over names with a dot."""
    return _folder / BESIDE / folder.name.lstrip(".") if _folder else None


def _put_back(folder: Path, path: Path) -> None:
    """After a death between the two steps of `take_place`: the former folder is nowhere else."""
    with contextlib.suppress(OSError):
        if (folder / FORMER).exists() and not os.path.lexists(path):
            (folder / FORMER).rename(path)


def take_place(draft: Path, path: Path) -> None:
    """Put a folder, which lies in one that `beside` gave, in the place of `path` in one step.

    What stood there goes with the draft. Raises OSError, and everything stands as it stood.
    """
    if not path.exists():
        draft.rename(path)
        return
    exchange: Callable[..., int] | None = getattr(ctypes.CDLL(None), "renameat2", None)
    names = os.fsencode(draft), os.fsencode(path)
    if exchange and exchange(_AT_CWD, names[0], _AT_CWD, names[1], _EXCHANGE) == 0:
        return
    # Elsewhere there are two steps. The watcher must not remove what stands aside between them.
    if link := _link(draft.parent):
        link.unlink(missing_ok=True)
    former = draft.with_name(FORMER)
    path.rename(former)
    try:
        draft.rename(path)
    except BaseException:
        _put_back(draft.parent, path)
        raise
