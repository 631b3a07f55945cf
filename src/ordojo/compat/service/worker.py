"""The solver's own process, fed over its stdin: a warm parent, and a child for some programs.

The child does the solving and is replaced after `processes.PROGRAMS` programs, so that nothing of
one is left for long. It dies when a solve outlives its limit, even where the solver holds the
interpreter (an alarm that the kernel answers); the parent then dies of the same. Both die with
their host.

The process needs a processor, memory, and two pipes. A model comes from a program that nobody
trusts, and a solver is a million lines of C. Each wall that this machine offers is put up; which
of them stand is said, and none is asked for.
"""

import contextlib
import fcntl
import gc
import importlib
import os
import resource
import signal
import socket
import sys
from pathlib import Path
from typing import NoReturn

from ordojo.compat import messages
from ordojo.compat.messages import Fields, pack, unpack
from ordojo.compat.service.work import QUESTIONS, perform
from ordojo.core.errors import SandboxError, SolverError
from ordojo.sandbox import kernel, landlock, seccomp
from ordojo.sandbox.channel import read_exactly, write_all
from ordojo.sandbox.layout import own_layout
from ordojo.solvers.answers import SolveResult, Status
from ordojo.solvers.problem import CallbackReply, Event

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


LENGTH = 8
FULL, _GONE = 4, 3
"""Exit codes of a child that could not read for want of memory, and of one whose host is gone."""

_WARM = (
    "ordojo.solvers.choose",
    "ordojo.solvers.parted",
    "ordojo.solvers.highs",
    "ordojo.solvers.simplex",
    "pyscipopt",
    "ordojo.solvers.scip_hooks",
)
"""What solving needs; what is not installed is said when it is asked for."""


def main() -> None:
    """Answer requests until there are no more; arguments are memory, lifeline and solver."""
    memory, lifeline, solver = int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    incoming, outgoing = _take_streams(lifeline)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    limit(memory)
    for name in _WARM:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    walls = close_in(needs_licence=solver == "gurobi")
    write(outgoing, pack({"kind": "ready", "walls": walls}))
    gc.collect()
    gc.freeze()
    while True:
        child = os.fork()
        if child == 0:
            _serve(incoming, outgoing)
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            with contextlib.suppress(OSError):  # SIGKILL has no handler
                signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
            os.kill(os.getpid(), os.WTERMSIG(status))
        if status:
            os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


def _serve(incoming: int, outgoing: int) -> NoReturn:
    """In the child: answer requests until a new child is asked for, then end."""
    code = 1
    try:
        stay_alone()
        while (data := _read(incoming)) is not None:
            request = Fields(unpack(data), "the request")
            if request.text("kind") == "renew":
                code = 0
                break
            deadline = request.number("deadline")
            allow(deadline)
            write(outgoing, _answer(request, incoming, outgoing))
            signal.setitimer(signal.ITIMER_REAL, 0)
        else:
            code = _GONE
    except MemoryError:
        code = FULL
    finally:
        os._exit(code)


def write(stream: int, data: bytes) -> None:
    """Send one message with its length before it."""
    write_all(stream, len(data).to_bytes(LENGTH, "little") + data)


def _read(stream: int) -> bytes | None:
    """The next message, None at the end; never more, which may be for the next child."""
    head = read_exactly(stream, LENGTH)
    return None if head is None else read_exactly(stream, int.from_bytes(head, "little"))


def _take_streams(lifeline: int) -> tuple[int, int]:
    """Keep stdin and stdout for messages; what a solver prints goes nowhere."""
    incoming, outgoing = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    # The kernel's default answer to SIGIO ends this process, and its children, when the host
    # closes its end.
    with contextlib.suppress(OSError, AttributeError):
        signal.signal(signal.SIGIO, signal.SIG_DFL)
        fcntl.fcntl(lifeline, fcntl.F_SETOWN, -os.getpgrp())
        fcntl.fcntl(lifeline, fcntl.F_SETFL, os.O_ASYNC | fcntl.fcntl(lifeline, fcntl.F_GETFL))
    return incoming, outgoing


def _answer(request: Fields, incoming: int, outgoing: int) -> bytes:
    kind, seconds = request.text("kind"), request.number("seconds")

    def ask(event: Event) -> CallbackReply:
        write(outgoing, pack({"kind": "event", "event": event}))
        data = _read(incoming)
        if data is None:
            os._exit(_GONE)
        found = Fields(unpack(data), "the reply")
        return messages.read_reply(found.raw("reply"), problem.model.n)

    try:
        problem = messages.read_problem(unpack(request.raw("request").tobytes())["problem"])
        if kind in QUESTIONS:
            return pack({"kind": kind, kind: QUESTIONS[kind](problem, seconds)})
        callback = ask if request.flag("interactive") else None
        return messages.write_result(perform(problem, seconds, callback, request.text("solver")))
    except SolverError as error:
        return pack({"kind": "refused", "message": str(error)})
    except MemoryError:
        said = "the solver ran out of memory"
        if kind == "solve":
            return messages.write_result(SolveResult(Status.MEMORY, detail=said))
        return pack({"kind": "refused", "message": said})
    except Exception as error:  # the program is told; the worker lives for its next request
        return pack({"kind": "refused", "message": f"{type(error).__name__}: {error}"[:500]})
