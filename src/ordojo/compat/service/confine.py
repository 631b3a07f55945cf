"""The walls around a solver's process: it needs a processor, memory, and two pipes.

A model comes from a program that nobody trusts, and a solver is a million lines of C. Each wall
that this machine offers is put up; which of them stand is said, and none is asked for.
"""

import contextlib
import os
import resource
import signal
import socket
from pathlib import Path

from ordojo.core.errors import SandboxError
from ordojo.sandbox import kernel, landlock, seccomp
from ordojo.sandbox.layout import own_layout

_DESCRIPTORS = 64
_PR_SET_PDEATHSIG = 1
_NAMESPACES = ("user", "network", "ipc", "uts")


def limit(memory: int) -> None:
    """Hold this process and its children to so many bytes each, and keep them from files."""
    with contextlib.suppress(OSError), Path("/proc/self/oom_score_adj").open("w") as score:
        score.write("1000")  # the kernel ends the solver before the host that judges
    wanted = {
        resource.RLIMIT_AS: memory,
        resource.RLIMIT_NOFILE: _DESCRIPTORS,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CORE: 0,
    }
    for which, most in wanted.items():
        with contextlib.suppress(ValueError, OSError):  # a lower limit stands already
            resource.setrlimit(which, (most, most))


def close_in(needs_licence: bool) -> str:
    """Put up the walls and try them; their names joined by "+".

    Gurobi reads its licence from the disk and may ask for it over the network: with
    `needs_licence` both stay open, and only privileges are given up.
    """
    names = ["limits"]
    for name, wall in _WALLS.items():
        if needs_licence and name != "privileges":
            continue
        with contextlib.suppress(OSError, KeyError, AttributeError, SandboxError):
            wall()
            names.append(name)
    return "+".join(names)


def _namespaces() -> None:
    kernel.unshare(sum(kernel.NEW_NAMESPACES[name] for name in _NAMESPACES))


def _privileges() -> None:
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
    kernel.drop_privileges()


def _landlock() -> None:
    """Only the interpreter and its libraries can be read, nothing written."""
    rules = landlock.Ruleset(landlock.abi())
    whole, listed = own_layout().expanded()
    rules.allow(whole, landlock.READ)
    rules.allow(listed, landlock.READ_DIR)
    rules.allow(["/dev/null"], landlock.READ_FILE | landlock.WRITE_FILE)
    rules.restrict()
    with contextlib.suppress(PermissionError):
        os.close(os.open("/etc/passwd", os.O_RDONLY))
        raise SandboxError("a file outside the libraries can be opened")


def _seccomp() -> None:
    """No network, no new namespaces, nothing of other processes."""
    seccomp.install_base(shared_files=True)
    with contextlib.suppress(PermissionError):
        socket.socket(socket.AF_INET).close()
        raise SandboxError("a socket can be opened")


_WALLS = {
    "namespaces": _namespaces,
    "privileges": _privileges,
    "landlock": _landlock,
    "seccomp": _seccomp,
}
"""In this order: each needs what the next one takes away."""


def stay_alone() -> None:
    """In the child: end with the parent, start no process, signal no other one; where possible."""
    with contextlib.suppress(OSError, KeyError, AttributeError):
        kernel.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        seccomp.install_single(os.getpid())


def allow(seconds: float) -> None:
    """Let this process live for so many seconds more, and use no more of its processor."""
    used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    soft = int(used + seconds) + 2
    soft = soft if hard == resource.RLIM_INFINITY else min(soft, hard)
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))
    signal.setitimer(signal.ITIMER_REAL, seconds)
