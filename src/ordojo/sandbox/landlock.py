"""Landlock: the kernel's allow-list of files for an unprivileged process (Linux 5.13 and later)."""

# Paths go straight to the kernel here, as text and at speed.
# ruff: noqa: PTH112

import ctypes
import os
import struct
from collections.abc import Iterable

from ordojo.sandbox import kernel

_CREATE, _ADD, _RESTRICT = 444, 445, 446

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
_RIGHTS_BY_ABI = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
_FILE_ONLY = EXECUTE | WRITE_FILE | READ_FILE | 1 << 14 | 1 << 15
_SPECIAL = 1 << 6 | 1 << 9 | 1 << 11  # character devices, sockets, block devices

READ = EXECUTE | READ_FILE | READ_DIR
NEWEST = 7
"""The newest ABI whose rights are known here; a newer kernel is asked for these."""
SCOPES = 6
"""The first ABI that keeps signals and abstract sockets inside."""

TRUNCATION = 3
"""The first ABI that guards truncation; below it the system call filter does."""


def abi() -> int:
    """The kernel's Landlock version; 0 where there is none."""
    try:
        return kernel.call(_CREATE, ctypes.c_void_p(None), 0, 1)
    except OSError:
        return 0


def everything(version: int) -> int:
    """All rights over files that `version` knows."""
    return (1 << _RIGHTS_BY_ABI[min(version, 5)]) - 1


def writable(version: int) -> int:
    """The rights inside a temporary directory: all but running programs and special files."""
    return everything(version) & ~(EXECUTE | _SPECIAL)


class Ruleset:
    """A set of rules; what it handles and does not allow is refused after `restrict`."""

    def __init__(self, version: int, files: bool = True) -> None:
        """Handle what `version` can: files if asked, TCP from 4, signals and sockets from 6."""
        self.version = min(version, NEWEST)
        handled = everything(self.version) if files else 0
        network = 3 if self.version >= 4 and files else 0
        scoped = 3 if self.version >= SCOPES else 0
        size = 24 if self.version >= SCOPES else 16 if self.version >= 4 else 8
        attributes = struct.pack("=QQQ", handled, network, scoped)[:size]
        self.handled = handled
        self.descriptor = kernel.call(_CREATE, ctypes.create_string_buffer(attributes), size, 0)

    def allow(self, paths: Iterable[str], rights: int) -> None:
        """Allow `rights` beneath every path that exists; a file gets the rights files can have."""
        for path in paths:
            try:
                opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
            except OSError:
                continue
            try:
                wanted = rights & self.handled
                if not os.path.isdir(path):
                    wanted &= _FILE_ONLY
                rule = ctypes.create_string_buffer(struct.pack("=Qi", wanted, opened), 12)
                kernel.call(_ADD, self.descriptor, 1, rule, 0)
            finally:
                os.close(opened)

    def restrict(self) -> None:
        """Put this process and all that it starts under the rules, for ever."""
        kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
        kernel.call(_RESTRICT, self.descriptor, 0)
