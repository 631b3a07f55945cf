"""What happens in the process forked for one program: limits, its files, its run, its end."""

# Paths go straight to the kernel here, as text and at speed.
# ruff: noqa: PTH103, PTH120, PTH123

import atexit
import builtins
import contextlib
import gc
import io
import json
import linecache
import os
import random
import resource
import signal
import stat
import sys
import threading
import traceback
from importlib.machinery import SourceFileLoader
from types import ModuleType
from typing import Any, NoReturn

from ordojo.sandbox import channel
from ordojo.sandbox.channel import END, JOB, KEPT, PROGRAM, SMALL

_TAIL = 8_000
"""Characters of a traceback that are kept, its end: what a debugging model reads in a prompt."""
_FRAMES = 100
"""Frames of a traceback: a recursion without end has a thousand, all alike."""
_CHUNK = 1 << 20
"""Bytes of a file taken at once: the memory that receiving costs within the program's own limit."""


def become(descriptors: list[int], folder: str, settings: dict[str, Any]) -> NoReturn:
    """Turn this fresh fork into the program that waits on the channel, run it, and exit.

    `descriptors` are the channel, stdout, stderr and log; `settings` the limits as numbers.
    """
    os.setsid()
    _take(descriptors)
    _limit(settings)
    os.chdir(folder)
    random.seed(0)  # Python seeds it anew after a fork; programs shall repeat
    channel.open_on(3, 4)
    _reopen(sys.stdout, 1)
    _reopen(sys.stderr, 2)
    os._exit(_main(folder))


def _reopen(stream: object, descriptor: int) -> None:
    """Make `stream`, the same object, write to what its descriptor is now.

    As it came up on the worker's log, a file, it takes itself for one in which one can seek.
    """
    if isinstance(stream, io.TextIOWrapper):
        raw = io.FileIO(descriptor, "wb", closefd=False)
        raw.name = stream.name
        stream.__init__(  # type: ignore[misc]
            io.BufferedWriter(raw),
            stream.encoding,
            stream.errors,
            "\n",
            line_buffering=True,  # what it printed before a limit is kept
        )
        stream.mode = "w"  # type: ignore[misc]


def _take(descriptors: list[int]) -> None:
    """Nothing but stdin (empty), stdout, stderr, the channel (3) and the log (4) stays open."""
    signal.set_wakeup_fd(-1)
    line, out, err, log = (os.dup2(d, 100 + place) for place, d in enumerate(descriptors))
    for source, target in ((out, 1), (err, 2), (line, 3), (log, 4)):
        os.dup2(source, target, inheritable=target < 3)
    os.closerange(5, 1 << 16)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _limit(settings: dict[str, Any]) -> None:
    seconds = settings["cpu"]
    wanted = {
        resource.RLIMIT_CPU: (seconds, seconds + 1),
        resource.RLIMIT_FSIZE: (settings["file_size"],) * 2,
        resource.RLIMIT_NOFILE: (settings["descriptors"],) * 2,
        resource.RLIMIT_AS: (settings["address_space"],) * 2,
        resource.RLIMIT_MEMLOCK: (0, 0),
    }
    if settings["processes"]:
        wanted[resource.RLIMIT_NPROC] = (settings["processes"],) * 2
    for which, (soft, hard) in wanted.items():
        ceiling = resource.getrlimit(which)[1]
        if ceiling != resource.RLIM_INFINITY:
            soft, hard = min(soft, ceiling), min(hard, ceiling)
        resource.setrlimit(which, (soft, hard))


def _main(folder: str) -> int:
    """Receive the program and its files, run it as `__main__`; its exit code."""
    kind, payload = channel.receive()
    if kind != JOB:
        return 70
    job = json.loads(payload)
    for name, size in job["files"]:
        _store(name, size)
    source = job["source"]
    path = f"{folder}/{PROGRAM}"
    with open(path, "w", encoding="utf-8", errors="surrogatepass") as target:
        target.write(source)
    linecache.cache[path] = (len(source), None, source.splitlines(keepends=True), path)
    sys.argv = [path, *job["arguments"]]
    sys.path.insert(0, folder)
    before = _files(folder)
    code = _wind_up(_run(source, path, _fresh(path)))
    if job["keep"]:
        with contextlib.suppress(BaseException):  # the program may have closed the channel
            _keep(folder, before)
    return code


def _files(folder: str) -> dict[str, tuple[int, int]]:
    """The plain files below the folder, each with its size and when it was written."""
    found = {}
    for root, _, names in os.walk(folder):
        for name in names:
            path = f"{root}/{name}"
            known = os.lstat(path)
            if stat.S_ISREG(known.st_mode):
                found[path] = (known.st_size, known.st_mtime_ns)
    return found


def _keep(folder: str, before: dict[str, tuple[int, int]]) -> None:
    """Send the files that the program made or changed."""
    for path, known in sorted(_files(folder).items()):
        if before.get(path) == known:
            continue
        name = os.fsencode(os.path.relpath(path, folder)) + b"\0"
        with open(path, "rb") as source:
            piece = source.read(SMALL // 2)
            while True:
                channel.send(KEPT, name + piece)
                if not (piece := source.read(SMALL // 2)):
                    break


def _fresh(path: str) -> ModuleType:
    """An empty `__main__` with the names that the interpreter gives a file it is called with."""
    module = ModuleType("__main__")
    vars(module).update(
        __loader__=SourceFileLoader("__main__", path),
        __annotations__={},
        __builtins__=builtins,
        __file__=path,
        __cached__=None,
    )
    sys.modules["__main__"] = module
    return module


def _store(name: str, size: int) -> None:
    """Write one of the program's files from the channel."""
    if os.path.dirname(name):
        os.makedirs(os.path.dirname(name), exist_ok=True)
    with open(name, "wb") as target:
        while size:
            data = channel.read(min(size, _CHUNK))
            target.write(data)
            size -= len(data)


def _run(source: str, path: str, module: ModuleType) -> int:
    try:
        code = compile(source, path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        error.__traceback__ = None  # the program has none, and the worker's frame is not its own
        _report("syntax" if isinstance(error, SyntaxError | ValueError) else "raised", error)
        return 1
    try:
        exec(code, module.__dict__)
    except SystemExit as leaving:
        return _exit_code(leaving.code)
    except BaseException as error:  # KeyboardInterrupt and GeneratorExit end a program as well
        # The worker's own frame is no part of the program's traceback.
        error.__traceback__ = error.__traceback__ and error.__traceback__.tb_next
        _report("raised", error)
        return 1
    return 0


def _exit_code(code: object) -> int:
    """The exit code as the interpreter makes it of `sys.exit`'s argument."""
    if code is None:
        return 0
    if isinstance(code, int):
        return code & 0xFF if abs(code) < 1 << 63 else 0xFF
    sys.stdout.flush()
    sys.stderr.write(f"{code}\n")
    return 1


def _report(kind: str, error: BaseException) -> None:
    """Print the traceback as the interpreter would, and tell the host in a form to count."""
    try:
        lines = "".join(traceback.format_exception(error, limit=-_FRAMES))
    except BaseException:  # the program's own exception class prints it, or memory is lacking
        error.__traceback__ = None  # frees a million frames, where memory is what is lacking
        lines = f"{type(error).__name__}: (its traceback cannot be shown)\n"
    try:
        message = str(error)
    except BaseException:  # the program's own `__str__` may raise anything, SystemExit too
        message = ""
    ending = {
        "kind": kind,
        "type": type(error).__qualname__,
        "bases": [base.__name__ for base in type(error).__mro__],
        "message": message[:2_000],
        "traceback": lines[-_TAIL:],
    }
    channel.send(END, json.dumps(ending).encode())
    try:
        sys.stdout.flush()
        if sys.excepthook is sys.__excepthook__:
            sys.stderr.write(lines)
        else:
            sys.excepthook(type(error), error, error.__traceback__)
    except BaseException:  # a hook or a stream of the program's; the host has been told already
        return


def _let_go() -> None:
    """Drop the program's own names, so that its objects end as they do with the interpreter."""
    sys.modules.pop("__main__", None)
    gc.collect()


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and not getattr(stream, "closed", False):
            stream.flush()


def _wind_up(code: int) -> int:
    """What the interpreter does after the last line: threads, `atexit`, objects, flushing."""
    shutdown: Any = threading._shutdown  # type: ignore[attr-defined]
    run_exit: Any = atexit._run_exitfuncs
    for step in (shutdown, run_exit, _flush, _let_go, _flush):
        try:
            step()
        except SystemExit as leaving:
            code = _exit_code(leaving.code)
        except BaseException:  # as the interpreter: what fails at the end spoils the exit code
            code = code or 120
    return code
