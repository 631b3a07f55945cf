"""The solver's own process: `python -m ordojo.compat.service.worker`, fed over its stdin.

It dies when a solve outlives its limit, even where the solver holds the interpreter (an alarm that
the kernel answers), and when its parent is gone.
"""

import contextlib
import fcntl
import os
import resource
import signal
import sys
from typing import BinaryIO

from ordojo.compat import analysis, answers, messages
from ordojo.compat.events import Event, Reply
from ordojo.compat.fields import Fields
from ordojo.compat.service.simplex import analyse
from ordojo.compat.service.work import conflict, perform
from ordojo.compat.wire import pack, unpack
from ordojo.core.errors import SolverError

LENGTH = 8


def write(stream: BinaryIO, data: bytes) -> None:
    """Send one message with its length before it."""
    stream.write(len(data).to_bytes(LENGTH, "little"))
    stream.write(data)
    stream.flush()


def read(stream: BinaryIO) -> bytes | None:
    """The next message, None at the end."""
    head = stream.read(LENGTH)
    if len(head) < LENGTH:
        return None
    return stream.read(int.from_bytes(head, "little"))


def main() -> None:
    """Answer requests until there are no more."""
    incoming, outgoing = _take_streams()
    with contextlib.suppress(ValueError, OSError):
        memory = int(sys.argv[1])
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while (data := read(incoming)) is not None:
        request = Fields(unpack(data), "the request")
        deadline = request.number("deadline")
        signal.setitimer(signal.ITIMER_REAL, deadline)
        write(outgoing, _answer(request, incoming, outgoing))
        signal.setitimer(signal.ITIMER_REAL, 0)


def _take_streams() -> tuple[BinaryIO, BinaryIO]:
    """Keep stdin and stdout for messages; what a solver prints goes nowhere."""
    incoming = os.fdopen(os.dup(0), "rb")
    outgoing = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    # The kernel's default answer to SIGIO ends this process when the parent closes its end.
    lifeline = int(os.environ.get("ORDOJO_LIFELINE", "-1"))
    with contextlib.suppress(OSError, AttributeError):
        signal.signal(signal.SIGIO, signal.SIG_DFL)
        fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(lifeline, fcntl.F_SETFL, os.O_ASYNC | fcntl.fcntl(lifeline, fcntl.F_GETFL))
    return incoming, outgoing


def _answer(request: Fields, incoming: BinaryIO, outgoing: BinaryIO) -> bytes:
    kind, seconds = request.text("kind"), request.number("seconds")

    def ask(event: Event) -> Reply:
        write(outgoing, pack({"kind": "event", "event": event}))
        data = read(incoming)
        if data is None:
            os._exit(0)
        found = Fields(unpack(data), "the reply")
        return answers.read_reply(found.raw("reply"), problem.model.n)

    try:
        problem = messages.read_problem(unpack(request.raw("problem").tobytes())["problem"])
        if kind == "iis":
            iis = conflict(problem, seconds)
            return pack({"kind": "iis", "iis": iis and answers.write_iis(iis)})
        if kind == "analysis":
            return pack({"kind": kind, "analysis": analysis.write(analyse(problem, seconds))})
        callback = ask if request.flag("interactive") else None
        result = perform(problem, seconds, callback, request.text("solver"))
        return answers.write_result(result)
    except SolverError as error:
        return pack({"kind": "refused", "message": str(error)})
    except MemoryError:
        return pack({"kind": "refused", "message": "the solver ran out of memory"})
    except Exception as error:
        return pack({"kind": "broken", "message": f"{type(error).__name__}: {error}"})


if __name__ == "__main__":
    main()
