"""The program's end of the channel to the service outside the sandbox.

from ordojo.sandbox import channel
answer = channel.call(request)      # bytes to bytes, answered outside
channel.give({"objective": 3.5})    # the program's result, as JSON
"""

import json
import os
import threading

from ordojo.core.errors import SandboxError
from ordojo.sandbox.frames import ANSWER, CALL, HEADER, RESULT, frame

_sending = threading.Lock()
_calling = threading.Lock()
_descriptor: int | None = None


def is_open() -> bool:
    """Whether this process runs inside the sandbox with a channel."""
    return _descriptor is not None


def open_on(descriptor: int) -> None:
    """Use `descriptor` from now on (the worker calls this before the program starts)."""
    global _descriptor
    _descriptor = descriptor


def call(payload: bytes) -> bytes:
    """Send a request and wait for its answer; SandboxError outside a sandbox or when cut off."""
    with _calling:
        send(CALL, payload)
        kind, answer = receive()
    if kind != ANSWER:
        raise SandboxError(answer.decode(errors="replace"))
    return answer


def give(result: object) -> None:
    """Hand over the program's result, anything JSON can hold; the last one given counts."""
    send(RESULT, json.dumps(result).encode())


def send(kind: bytes, payload: bytes) -> None:
    """Write one message whole."""
    rest = memoryview(frame(kind, payload))
    with _sending:
        while rest:
            rest = rest[os.write(_fd(), rest) :]


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


def _fd() -> int:
    if _descriptor is None:
        raise SandboxError("there is no service here: the program does not run in the sandbox")
    return _descriptor
