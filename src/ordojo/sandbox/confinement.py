"""The confinement of the warm worker and of each program, put up in order and then tried.

Its own view of the system comes first: new namespaces, and a root that holds only the layout.
"""

# Paths go straight to the kernel here, as text and at speed.
# ruff: noqa: PTH103, PTH110, PTH112, PTH120, PTH123

import contextlib
import fcntl
import os
import resource
import signal
import socket
import stat
from pathlib import Path
from typing import Any

from ordojo.sandbox import kernel, landlock, seccomp, trees
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


class Confinement:
    """What stands: the `parts` by name, and how what a program left behind is killed."""

    def __init__(self, settings: dict[str, Any]) -> None:
        """Close this process in as `settings` say; an OSError where the kernel refuses."""
        self.kind: str = settings["kind"]
        self.parts: list[str] = [self.kind]
        self._own_signals = settings["private"]
        self._inner: landlock.Ruleset | None = None
        if self.kind == "unsafe":
            return
        layout = FileLayout(**settings["layout"])
        self._become(layout, settings)
        # One byte holds no file, and says to a handler of crashes that it is not wanted either.
        ceiling = resource.getrlimit(resource.RLIMIT_CORE)[1]
        core = 0 if ceiling == 0 else 1  # -1 is no ceiling
        resource.setrlimit(resource.RLIMIT_CORE, (core, core))
        kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
        kernel.drop_privileges()
        version = min(landlock.abi(), settings["landlock"])
        alone = self.kind == "landlock"
        if alone and not version:
            raise OSError("the kernel, or a filter that stands already, offers no Landlock")
        if version:
            self._allow(layout, settings["base"], version)
        truncation = not alone or version >= landlock.TRUNCATION
        seccomp.install_base(shared_files=alone, truncation=truncation)
        self.parts.append("seccomp")
        if not self._own_signals:
            self.parts.append("one-process")

    def _become(self, layout: FileLayout, settings: dict[str, Any]) -> None:
        uid, gid = settings["uid"], settings["gid"]
        if self.kind == "userns":
            build_root(layout, uid, gid, settings["disk"], settings["files"])
        elif self.kind == "landlock" and os.geteuid() == 0 and uid != 0:
            os.setgroups([])
            os.setresgid(gid, gid, gid)
            os.setresuid(uid, uid, uid)

    def _allow(self, layout: FileLayout, base: str, version: int) -> None:
        rules = landlock.Ruleset(version)
        whole, listed = layout.expanded()
        rules.allow(whole, landlock.READ)
        rules.allow(listed, landlock.READ_DIR)
        rules.allow(DEVICES, landlock.READ_FILE | landlock.WRITE_FILE)
        rules.allow([base], landlock.writable(version) | landlock.READ)
        rules.restrict()
        if self.kind == "landlock" and version >= landlock.SCOPES:
            self._own_signals = True
            self._inner = landlock.Ruleset(version, files=False)
        if self.kind != "landlock":
            self.parts.append("landlock")

    def check(self, settings: dict[str, Any]) -> None:
        """Try each barrier; an OSError names the one that does not hold."""
        with open(settings["layout"]["library"], "rb") as source:
            source.read(1)
        for path in settings["layout"]["path"]:
            with contextlib.suppress(FileNotFoundError, NotADirectoryError):
                os.scandir(path).close()
        if self.kind == "unsafe":
            return
        canary: str = settings["canary"]
        for path, flags in ((canary, os.O_RDONLY), (canary + "2", os.O_CREAT | os.O_WRONLY)):
            with contextlib.suppress(OSError):
                os.close(os.open(path, flags))
                raise _NotConfinedError(f"a file outside the sandbox could be opened ({path})")
        for family in (socket.AF_INET, socket.AF_UNIX):
            with contextlib.suppress(OSError):
                socket.socket(family).close()
                raise _NotConfinedError("a socket could be opened")
        library: str = settings["layout"]["library"]
        with open(library, "rb") as held, open(library, "rb") as again:
            try:
                for source in (held, again):
                    fcntl.flock(source, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise _NotConfinedError("a lock on a library holds outside") from None
        if settings["private"]:  # the worker is the first process that its programs can see
            if os.getpid() != 1:
                raise _NotConfinedError("process ids are not the sandbox's own")
        elif self._own_signals:
            for pid in (settings["host"], 1):
                with contextlib.suppress(PermissionError):
                    os.kill(pid, 0)
                    raise _NotConfinedError("a process outside the sandbox could be signalled")

    def enter(self) -> None:
        """In a fresh fork: what keeps the program from the worker itself."""
        if self._inner:
            self._inner.restrict()
        elif not self._own_signals and self.kind != "unsafe":
            seccomp.install_single(os.getpid())

    def kill(self, pid: int) -> None:
        """Kill all that a program is or has left, at one blow where signals stay inside.

        `kill(-1)` reaches everything in the process id namespace, or in the Landlock domain, but
        its first process and the caller; `check` has made sure that there is such a border.
        """
        if self._own_signals:
            with contextlib.suppress(OSError):
                os.kill(-1, signal.SIGKILL)
        elif self.kind == "unsafe":
            trees.kill_descendants(os.getpid())
        else:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)


class _NotConfinedError(Exception):
    """A barrier that should stand does not; not an OSError, so that no check swallows it."""
