"""The program's end of the channel to the service outside the sandbox.

from ordojo.sandbox import channel
answer = channel.call(request)      # bytes to bytes, answered outside
channel.log("Iteration 1\n")        # apart from what the program itself prints
channel.give({"objective": 3.5})    # the program's result, as JSON
"""

import json
import os
import sys
import threading

from ordojo.core.errors import SandboxError
from ordojo.sandbox.frames import ANSWER, CALL, HEADER, RESULT, SHOW, frame

_sending = threading.Lock()
_calling = threading.Lock()
_descriptor: int | None = None
log_descriptor: int | None = None
"""Where a library's log goes, apart from the program's own output; None outside a sandbox."""


def is_open() -> bool:
    """Whether this process runs inside the sandbox with a channel."""
    return _descriptor is not None


def open_on(descriptor: int, log: int) -> None:
    """Use these descriptors from now on (the worker calls this before the program starts)."""
    global _descriptor, log_descriptor
    _descriptor, log_descriptor = descriptor, log


def call(payload: bytes) -> bytes:
    """Send a request and wait for its answer; SandboxError outside a sandbox or when cut off."""
    return _ask(CALL, payload)


def log(text: str) -> None:
    """Write to the log, and wait until it is taken, so that it keeps its place in the output."""
    if log_descriptor is None:
        raise SandboxError("there is no log here: the program does not run in the sandbox")
    sys.stdout.flush()
    _write(log_descriptor, text.encode(errors="replace"))
    _ask(SHOW, b"")


def give(result: object) -> None:
    """Hand over the program's result, anything JSON can hold; the last one given counts."""
    send(RESULT, json.dumps(result).encode())


def send(kind: bytes, payload: bytes) -> None:
    """Write one message whole."""
    with _sending:
        _write(_fd(), frame(kind, payload))


def receive() -> tuple[bytes, bytes]:
    """Read one message."""
    kind, length = HEADER.unpack(read(HEADER.size))
    return kind, read(length)


def read(size: int) -> bytes:
    """Read exactly `size` bytes."""
    held = bytearray(size)
    view = memoryview(held)
    while view:
        got = os.readv(_fd(), [view])
        if not got:
            raise SandboxError("the service outside the sandbox has closed the channel")
        view = view[got:]
    return bytes(held)


def _ask(kind: bytes, payload: bytes) -> bytes:
    with _calling:
        send(kind, payload)
        answered, answer = receive()
    if answered != ANSWER:
        raise SandboxError(answer.decode(errors="replace"))
    return answer


def _write(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _fd() -> int:
    if _descriptor is None:
        raise SandboxError("there is no service here: the program does not run in the sandbox")
    return _descriptor
