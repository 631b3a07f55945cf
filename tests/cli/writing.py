"""Commands in processes of their own that are killed, or run out of space, as they write."""

import multiprocessing
import os
import resource
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ordojo.core.ending import DRAFT

BEGUN, EXCHANGE, CLEARING = "begun", "exchange", "clearing"
"""Moments: the first file of a draft is opened, it takes its place, the former one is removed."""
CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(
    [
        __name__,
        *(f"ordojo.cli.{name}" for name in ("structure", "report", "explain", "build", "run")),
        *("ordojo.api.benchmarks", "ordojo.api.models", "ordojo.structures.blueprint.accept"),
        *("ordojo.reports.explanation", "ordojo.structures.observe", "ordojo.structures.survey"),
    ]
)


def run(
    words: Sequence[str],
    folder: Path,
    typed: str = "",
    *,
    at: str = "",
    number: int = 0,
    largest: int = -1,
) -> tuple[int, str]:
    """Run `ordojo WORDS` in a folder; its exit code and what it said.

    `number` is a signal that it gets at the moment `at`; `largest` the bytes that a file may have:
    the kernel refuses the rest, as a full disk does.
    """
    heard, said = CONTEXT.Pipe(duplex=False)
    process = CONTEXT.Process(target=_run, args=(words, folder, typed, said, at, number, largest))
    process.start()
    said.close()
    process.join(60)
    assert process.exitcode is not None, f"{words} hang"
    text = os.read(heard.fileno(), 1 << 20) if heard.poll() else b""
    heard.close()
    return process.exitcode, text.decode()


def _run(
    words: Sequence[str],
    folder: Path,
    typed: str,
    said: Any,
    at: str,
    number: int,
    largest: int,
) -> None:
    from ordojo.cli import main

    signal.signal(signal.SIGINT, signal.default_int_handler)
    reading, feeding = os.pipe()
    os.write(feeding, typed.encode())
    os.close(feeding)
    for source, target in ((reading, 0), (said.fileno(), 1), (said.fileno(), 2)):
        os.dup2(source, target)
    # Those of the server were opened on something else.
    sys.stdin, sys.stdout, sys.stderr = (
        open(n, "w" if n else "r", closefd=False)  # noqa: SIM115
        for n in range(3)
    )
    os.chdir(folder)
    os.environ["TMPDIR"] = str(folder / "tmp")
    if largest >= 0:
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest, -1))
    if at:
        sys.addaudithook(lambda event, given: _hit(at, number) if _is(at, event, given) else None)
    sys.argv = ["ordojo", *words]
    main()


_done: list[str] = []


def _hit(at: str, number: int) -> None:
    if not _done:
        _done.append(at)
        os.kill(os.getpid(), number)


def _is(at: str, event: str, given: Sequence[Any]) -> bool:
    if at == EXCHANGE and event == "ctypes.dlsym":
        return given[1] == "renameat2"
    if event not in ("open", "os.rename", "shutil.rmtree") or not given:
        return False
    path = os.fspath(given[0]) if isinstance(given[0], str | os.PathLike) else ""
    if DRAFT not in path or os.path.basename(path).startswith("lock"):  # noqa: PTH119
        return False
    if at == BEGUN:
        return event == "open" and bool(set(str(given[1])) & set("wxa"))
    return event == ("os.rename" if at == EXCHANGE else "shutil.rmtree")
