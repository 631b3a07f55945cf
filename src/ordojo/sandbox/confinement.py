"""The confinement of the warm worker and of each program, put up in order and then tried."""

# Paths go straight to the kernel here, as text and at speed.
# ruff: noqa: PTH123

import contextlib
import fcntl
import os
import resource
import signal
import socket
from typing import Any

from ordojo.sandbox import kernel, landlock, namespaces, seccomp, trees
from ordojo.sandbox.layout import DEVICES, FileLayout

OWN_PROCESSES = ("userns", "bwrap", "docker")
"""The kinds under which the worker is the first process that its programs can see."""


class Confinement:
    """What stands: the `parts` by name, and how what a program left behind is killed."""

    def __init__(self, settings: dict[str, Any]) -> None:
        """Close this process in as `settings` say; an OSError where the kernel refuses."""
        self.kind: str = settings["kind"]
        self.parts: list[str] = [self.kind]
        self._own_signals = self.kind in OWN_PROCESSES
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
            namespaces.build_root(layout, uid, gid, settings["disk"], settings["files"])
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
        if self.kind in OWN_PROCESSES:
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
