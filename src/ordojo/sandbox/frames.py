"""Messages between a program and the service outside: a kind, a length, bytes."""

import struct
from collections.abc import Iterator

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
