"""A view of the system of its own: new namespaces, and a root that holds only the layout."""

# Paths go straight to the kernel here, as text and at speed.
# ruff: noqa: PTH103, PTH110, PTH112, PTH120

import os
import stat
from pathlib import Path

from ordojo.sandbox import kernel
from ordojo.sandbox.layout import DEVICES, FileLayout

BASE = "/sandbox"
"""Where, inside, a writable file system of the sandbox's own is mounted."""

_POINTS = ("/tmp", "/mnt", "/var/tmp", "/run")
_WANTED = ("user", "mount", "pid", "network", "ipc", "uts")


def leave(uid: int, gid: int) -> None:
    """Move into new namespaces as user `uid`; children get process ids of their own."""
    if os.geteuid() == 0:
        os.setgroups([])
    outer = os.getpid()
    wait_end, go_end = os.pipe()
    helper = os.fork()
    if helper == 0:
        os.close(go_end)
        os._exit(_write_maps(outer, uid, gid) if os.read(wait_end, 1) else 1)
    os.close(wait_end)
    try:
        flags = 0
        for name in _WANTED:
            flags |= kernel.NEW_NAMESPACES[name]
        kernel.unshare(flags)
        os.write(go_end, b"g")
    finally:
        os.close(go_end)
        failed = os.waitpid(helper, 0)[1]
    if failed:
        raise OSError("the user namespace's map was refused")


def _write_maps(pid: int, uid: int, gid: int) -> int:
    """Map one user and one group; from the namespace above, as its helper."""
    folder = Path(f"/proc/{pid}")
    try:
        (folder / "setgroups").write_text("deny")
        (folder / "uid_map").write_text(f"{uid} {uid} 1")
        (folder / "gid_map").write_text(f"{gid} {gid} 1")
    except OSError:
        return 1
    return 0


def build_root(layout: FileLayout, uid: int, gid: int, disk: int, files: int) -> None:
    """Make the layout, a few devices and an empty `/sandbox` the whole file system.

    Runs as the first process of the new namespaces; on return it is `uid`, the old root is out of
    reach and all but `/sandbox` (of `disk` bytes and `files` files) is read-only.
    """
    kernel.mount("none", "/", "", kernel.MS_REC | kernel.MS_PRIVATE)
    # Opened as the one who may see them, before becoming the one who need not.
    opened = {path: os.open(path, os.O_PATH) for path in layout.read if os.path.exists(path)}
    opened |= {path: os.open(path, os.O_PATH) for path in DEVICES}
    os.setresgid(gid, gid, gid)
    os.setresuid(uid, uid, uid)
    root = next(p for p in _POINTS if os.path.isdir(p))
    kernel.mount("tmpfs", root, "tmpfs", 0, "mode=0755,size=1m")
    for path, descriptor in opened.items():
        _show(descriptor, root + path)
        os.close(descriptor)
    for path in layout.hide:
        _cover(root + path)
    os.makedirs(root + BASE, exist_ok=True)
    kernel.mount_attributes(root, kernel.MS_RDONLY | kernel.MS_NOSUID)
    flags = kernel.MS_NOSUID | kernel.MS_NODEV
    kernel.mount("tmpfs", root + BASE, "tmpfs", flags, f"mode=0700,size={disk},nr_inodes={files}")
    kernel.enter_root(root)
    kernel.set_host_name("sandbox")


def _show(descriptor: int, target: str) -> None:
    """Bind what `descriptor` names, with all that is mounted beneath it, on `target`."""
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if stat.S_ISDIR(os.fstat(descriptor).st_mode):
        os.makedirs(target, exist_ok=True)
    else:
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY))
    kernel.mount(f"/proc/self/fd/{descriptor}", target, "", kernel.MS_BIND | kernel.MS_REC)


def _cover(target: str) -> None:
    """Lay an empty folder over a folder, an empty device over a file."""
    if os.path.isdir(target):
        kernel.mount("tmpfs", target, "tmpfs", kernel.MS_RDONLY, "mode=0555,size=4k")
    elif os.path.exists(target):
        kernel.mount("/dev/null", target, "", kernel.MS_BIND)
