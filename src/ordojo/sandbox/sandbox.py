"""The sandbox: programs go in as text, what became of them comes out."""

import contextlib
import json
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PurePosixPath
from typing import Self

from ordojo.core.errors import DataError, SandboxError
from ordojo.core.files import read_bytes
from ordojo.sandbox.channel import JOB, PROGRAM, frame
from ordojo.sandbox.launch import ConfinementPlan, WorkerSettings
from ordojo.sandbox.layout import own_layout
from ordojo.sandbox.outcome import Execution, Limits
from ordojo.sandbox.watch import Calls, Echo, Handler, Watch, conclude
from ordojo.sandbox.worker import Worker, start

Files = Mapping[str, Path | str | bytes]


class Sandbox:
    """One warm worker; programs run in it one after another, each in a fresh process and folder.

    `isolation` is auto, userns, bwrap, landlock, docker or unsafe; where it does not hold the
    constructor raises SandboxError. Programs can read the interpreter and its libraries. `preload`
    is imported beforehand, where it can be; `shadow` maps a package's name to its stand-in module.
    Runs from several threads wait for each other: use one sandbox for each core.
    """

    def __init__(
        self,
        isolation: str | ConfinementPlan = "auto",
        limits: Limits | None = None,
        *,
        preload: Sequence[str] = ("numpy", "pandas"),
        shadow: Mapping[str, str] | None = None,
    ) -> None:
        self.limits = limits or Limits()
        self._lock = threading.Lock()
        self._closed = False
        self._setting = WorkerSettings(
            layout=own_layout(),
            preload=preload,
            shadow=shadow or {},
            disk=self.limits.disk,
            files=self.limits.files,
        )
        self._worker: Worker | None = start(isolation, self._setting)
        self._plan = self._worker.plan
        self.isolation = "+".join(self._worker.parts)
        self._service = ThreadPoolExecutor(1, thread_name_prefix="sandbox-service")

    def run(
        self,
        source: str,
        *,
        files: Files | None = None,
        arguments: Sequence[str] = (),
        limits: Limits | None = None,
        handler: Handler | None = None,
        keep: bool = False,
        echo: Echo | None = None,
    ) -> Execution:
        """Run a program to its end or its limits. Whatever it does is an outcome, never an error.

        `files` lie in the working directory (a path or the bytes themselves, by name); `limits`
        replace the sandbox's but for `disk` and `files`, which a private file system has from the
        start. `handler` answers `ordojo.sandbox.channel.call`, outside, one request at a time. With
        `keep` the files that it wrote until it came to its end are returned; `echo` gets its output
        as it comes. DataError for a file that cannot be read or has no plain relative name;
        SandboxError when the worker cannot be started again; errors of `echo` and of the handler
        pass through, but for the latter's TimeoutError, which is the program's limit.
        """
        allowed = limits or self.limits
        job = _job(source, files or {}, arguments, keep)
        with self._lock, contextlib.ExitStack() as held:
            worker = self._ready()
            calls = Calls(handler, self._service)
            held.callback(calls.close)
            watch = Watch(worker, allowed, calls, keep, echo)
            began = time.monotonic()
            try:
                watch.follow(job)
                wall = time.monotonic() - began
                if watch.ended:
                    worker.clear()
                else:
                    self._discard()
            except OSError as error:
                self._discard()
                if error is watch.unheard:
                    raise
                raise SandboxError(f"the sandbox's worker was lost: {error}") from error
            except BaseException:
                self._discard()
                raise
        if calls.failure is not None and not isinstance(calls.failure, TimeoutError):
            raise calls.failure
        return conclude(watch, allowed, self.isolation, wall)

    def _ready(self) -> Worker:
        if self._closed:
            raise SandboxError("the sandbox is closed: open another one to run programs")
        if self._worker is not None and self._worker.gone:  # killed while nothing ran
            self._discard()
        if self._worker is None:
            self._worker = start(self._plan, self._setting)
        return self._worker

    def _discard(self) -> None:
        worker, self._worker = self._worker, None
        if worker:
            worker.close()

    def close(self) -> None:
        """Take the worker down."""
        with self._lock:
            self._closed = True
            self._discard()
        self._service.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _job(source: str, files: Files, arguments: Sequence[str], keep: bool) -> list[bytes]:
    """What the fresh process is told: the program, then its files' bytes, in order."""
    contents: list[tuple[str, bytes]] = []
    for name, where in files.items():
        plain = PurePosixPath(name)
        if (
            plain.is_absolute()
            or ".." in plain.parts
            or str(plain) in (".", PROGRAM)
            or "\0" in name
        ):
            raise DataError(f"a program's file cannot be named {name!r}: use a relative name")
        try:
            data = where if isinstance(where, bytes) else read_bytes(where)
        except OSError as error:
            why = error.strerror or error
            raise DataError(f"the program's file {name!r} cannot be read: {why}") from error
        contents.append((str(plain), data))
    job = {
        "source": source,
        "arguments": list(arguments),
        "keep": keep,
        "files": [(name, len(data)) for name, data in contents],
    }
    return [frame(JOB, json.dumps(job).encode()), *(data for _, data in contents)]
