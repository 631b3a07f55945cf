"""The channel between a program and the service outside: its messages, and the program's end.

A message is a kind, a length, bytes.

from ordojo.sandbox import channel
answer = channel.call(request)      # bytes to bytes, answered outside
channel.log("Iteration 1\n")        # apart from what the program itself prints
channel.give({"objective": 3.5})    # the program's result, as JSON
"""

import json
import os
import struct
import sys
import threading
from collections.abc import Iterator

from ordojo.core.errors import SandboxError

HEADER = struct.Struct("<cQ")

JOB, ANSWER, REFUSAL = b"J", b"A", b"X"
"""From outside: what to run; the answer to a call, or why there is none."""
CALL, RESULT, END, KEPT, SHOW = b"C", b"R", b"E", b"K", b"S"
"""From the program: a request, its result (JSON), how its last line ended (JSON), a piece of a file
that it wrote (the name, a zero byte, the bytes), and that what it has printed be taken now."""

PROGRAM = "program.py"
"""The name of a program's own file in its working directory."""

SMALL = 1 << 20
"""Bytes that results and ends may have: the host reads them as JSON, at many times their size."""


class BadFrame(Exception):  # noqa: N818 (never leaves the package: it becomes an outcome)
    """The program sent something that is no message."""


def frame(kind: bytes, payload: bytes) -> bytes:
    """One message as bytes."""
    return HEADER.pack(kind, len(payload)) + payload


class FrameReader:
    """Cuts a stream of untrusted bytes into messages no longer than `limit`."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._held = bytearray()

    def feed(self, data: bytes) -> Iterator[tuple[bytes, bytes]]:
        """Take bytes and yield each message that they complete; BadFrame where there is none."""
        self._held += data
        while len(self._held) >= HEADER.size:
            kind, length = HEADER.unpack_from(self._held)
            if kind not in (CALL, RESULT, END, KEPT, SHOW):
                raise BadFrame(f"a message of unknown kind {kind!r}")
            if length > (self._limit if kind == CALL else min(SMALL, self._limit)):
                raise BadFrame(f"a message of {length} bytes, which is over the limit")
            end = HEADER.size + length
            if len(self._held) < end:
                return
            payload = bytes(self._held[HEADER.size : end])
            del self._held[:end]
            yield kind, payload

    def close(self) -> None:
        """Say that no more bytes come; BadFrame when a message was cut off."""
        if self._held:
            raise BadFrame(f"a message that was cut off after {len(self._held)} bytes")


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
    write_all(log_descriptor, text.encode(errors="replace"))
    _ask(SHOW, b"")


def give(result: object) -> None:
    """Hand over the program's result, anything JSON can hold; the last one given counts."""
    send(RESULT, json.dumps(result).encode())


def send(kind: bytes, payload: bytes) -> None:
    """Write one message whole."""
    with _sending:
        write_all(_fd(), frame(kind, payload))


def receive() -> tuple[bytes, bytes]:
    """Read one message."""
    kind, length = HEADER.unpack(read(HEADER.size))
    return kind, read(length)


def read(size: int) -> bytes:
    """Read exactly `size` bytes."""
    if (found := read_exactly(_fd(), size)) is None:
        raise SandboxError("the service outside the sandbox has closed the channel")
    return found


def read_exactly(descriptor: int, size: int) -> bytes | None:
    """So many bytes, None where the stream ends before; no more, which may be for another."""
    held = bytearray(size)
    view = memoryview(held)
    while view:
        got = os.readv(descriptor, [view])
        if not got:
            return None
        view = view[got:]
    return bytes(held)


def _ask(kind: bytes, payload: bytes) -> bytes:
    with _calling:
        send(kind, payload)
        answered, answer = receive()
    if answered != ANSWER:
        raise SandboxError(answer.decode(errors="replace"))
    return answer


def write_all(descriptor: int, data: bytes) -> None:
    """Write all bytes, however often the kernel must be asked."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _fd() -> int:
    if _descriptor is None:
        raise SandboxError("there is no service here: the program does not run in the sandbox")
    return _descriptor
