"""What libraries print while they solve: a log, kept apart from what the program itself prints."""

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Any

from ordojo.core.errors import SandboxError
from ordojo.sandbox import channel

_C = ctypes.CDLL(None)


def say(text: str) -> None:
    """Write a layer's log: apart in a sandbox, else to standard output.

    To standard output, too, where the program has put a stream of its own there, as it asks for
    the log by that.
    """
    if channel.log_descriptor is None or sys.stdout is not sys.__stdout__:
        sys.stdout.write(text)
        return
    with suppress(OSError, SandboxError):  # the program may have closed what leads out
        channel.log(text)


@contextmanager
def apart() -> Iterator[None]:
    """Within it, what is written to descriptor 1 is log, but for what the program's lines print.

    So it is for native code and for processes that a library starts. What the program's own
    functions print, called back by the solver, stays output.
    """
    if channel.log_descriptor is None:
        yield
        return
    try:
        _flush()
        kept = os.dup(1)
        os.dup2(channel.log_descriptor, 1)
    except OSError:  # the program has closed one of them
        yield
        return
    stream: Any = sys.stdout
    pythons = sys.stdout is sys.__stdout__  # one of the program's own is left where it is
    ours: Any = _Parted(stream, kept) if pythons else stream
    sys.stdout = ours
    try:
        yield
    finally:
        if sys.stdout is ours:
            sys.stdout = stream
        _flush()
        os.dup2(kept, 1)
        os.close(kept)


def _flush() -> None:
    """Write out what Python and C hold back for descriptor 1."""
    with suppress(OSError, ValueError, AttributeError):  # closed, or none
        sys.__stdout__.flush()  # type: ignore[union-attr]
    _C.fflush(None)


def keep_apart(owner: Any, names: str) -> None:
    """Have what these methods of a library print taken as log."""
    for name in names.split():
        if call := getattr(owner, name, None):
            setattr(owner, name, apart()(call))


class _Parted:
    """Standard output while a library solves: the program's lines past it, all else to the log."""

    def __init__(self, stream: Any, kept: int) -> None:
        self._stream, self._kept = stream, kept

    def write(self, text: str) -> int:
        """Write to where the line that asks for it belongs."""
        if not of_program(sys._getframe(1)):
            return int(self._stream.write(text))
        channel.write_all(self._kept, text.encode(self._stream.encoding, "replace"))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def of_program(frame: FrameType) -> bool:
    """Whether a frame's line stands in the program itself, or in a module of its folder."""
    if frame.f_globals.get("__name__") == "__main__":
        return True
    folder = str(Path(sys.argv[0]).parent)
    return folder != "." and frame.f_code.co_filename.startswith(f"{folder}/")
