"""The few Linux calls that Python's library lacks, through ctypes; an OSError where one fails."""

import ctypes
import functools
import os
import struct

PR_SET_DUMPABLE = 4
PR_CAPBSET_DROP = 24
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47

NEW_NAMESPACES = {
    "user": 0x10000000,
    "mount": 0x00020000,
    "pid": 0x20000000,
    "network": 0x40000000,
    "ipc": 0x08000000,
    "uts": 0x04000000,
    "cgroup": 0x02000000,
}

MS_BIND, MS_REC, MS_PRIVATE = 0x1000, 0x4000, 0x40000
MS_RDONLY, MS_NOSUID, MS_NODEV = 1, 2, 4
_MOUNT_SETATTR, _AT_RECURSIVE = 442, 0x8000
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
_CAPSET = {"x86_64": 126, "aarch64": 91}
_CAPABILITY_VERSION_3 = 0x20080522


@functools.cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def machine() -> str:
    """The processor's architecture, as `uname` says it."""
    return os.uname().machine


def call(number: int, *arguments: object) -> int:
    """Make the raw system call `number`; integers are passed as 64 bits."""
    passed = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    return _checked(_libc().syscall(ctypes.c_long(number), *passed), f"system call {number}")


def prctl(option: int, *arguments: int) -> int:
    """Call `prctl`."""
    values = [ctypes.c_ulong(a) for a in (*arguments, 0, 0, 0, 0)[:4]]
    return _checked(_libc().prctl(option, *values), f"prctl {option}")


def unshare(flags: int) -> None:
    """Move this process (its children, for process ids) into new namespaces."""
    _checked(_libc().unshare(flags), "unshare")


def mount(source: str, target: str, kind: str = "", flags: int = 0, data: str = "") -> None:
    """Mount `source` on `target`."""
    result = _libc().mount(
        source.encode(), target.encode(), kind.encode(), ctypes.c_ulong(flags), data.encode()
    )
    _checked(result, f"mount on {target}")


def mount_attributes(target: str, flags: int) -> None:
    """Set mount flags on `target` and every mount beneath it (Linux 5.12)."""
    attributes = ctypes.create_string_buffer(struct.pack("=QQQQ", flags, 0, 0, 0), 32)
    path = ctypes.c_char_p(target.encode())
    call(_MOUNT_SETATTR, -100, path, _AT_RECURSIVE, attributes, 32)


def enter_root(folder: str) -> None:
    """Make `folder` (a mount of its own) the root, and let go of the old one."""
    os.chdir(folder)
    here = ctypes.c_char_p(b".")
    call(_PIVOT_ROOT[machine()], here, here)
    _checked(_libc().umount2(here, 2), "umount of the old root")
    os.chdir("/")


def set_host_name(name: str) -> None:
    """Name this namespace's host."""
    _checked(_libc().sethostname(name.encode(), len(name)), "sethostname")


def drop_privileges() -> None:
    """Give up every capability, and any way to win one back by running a program."""
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    try:
        prctl(PR_CAP_AMBIENT, 4)
        for capability in range(64):
            prctl(PR_CAPBSET_DROP, capability)
    except OSError:
        pass  # past the last capability, or without the right to lower the bounding set
    set_capabilities(0)


def set_capabilities(kept: int) -> None:
    """Have no capabilities but those in the set of bits `kept`, and pass none on."""
    header = ctypes.create_string_buffer(struct.pack("=Ii", _CAPABILITY_VERSION_3, 0), 8)
    low, high = kept & 0xFFFFFFFF, kept >> 32
    data = struct.pack("=6I", low, low, 0, high, high, 0)
    call(_CAPSET[machine()], header, ctypes.create_string_buffer(data, 24))


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return int(result)
