"""Runs programs with our layers under the names gurobipy and coptpy, without a sandbox.

    python -m tests.compat.run_shadow program.py         one, as its own main; JSON on descriptor 3
    python -m tests.compat.run_shadow --each *.py        each in a fork; a JSON line each on stdout
    python run_shadow.py --real gurobipy --each *.py     the same under the real library

The program is trusted: nothing is contained here. With `--real` nothing of ordojo is imported, so
that this file also runs on an interpreter that only has the real library.
"""

import argparse
import contextlib
import importlib
import json
import os
import selectors
import signal
import sys
import tempfile
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import Any

LAYERS = ("gurobipy", "coptpy")
REPORT = 3
MARK = "= "
"""Lines of output that begin so are what a program wants compared."""
_WARM = ("numpy", "scipy.sparse", "pandas")
_OWN = ("highspy", "pyscipopt", "ordojo.solvers.choose")
"""What ours solves with; a process of coptpy's dies where highspy has been loaded."""


def main(words: Sequence[str] | None = None) -> int:
    """Run what the command line names; the exit status of the one program, else 0."""
    parser = argparse.ArgumentParser(prog="run_shadow", description=__doc__)
    parser.add_argument("--each", action="store_true", help="each file in a process of its own")
    parser.add_argument("--real", metavar="LIBRARY", help="import the real library; no shadow")
    parser.add_argument("--seconds", type=float, default=60.0, help="for each program")
    parser.add_argument("files", nargs="+")
    given = parser.parse_args(words)
    service = None if given.real else shadow()
    if not given.each:
        return _alone(given.files[0], given.files, service)
    if given.real:
        importlib.import_module(given.real)
    for name in _WARM if given.real else (*LAYERS, *_OWN, *_WARM):
        with contextlib.suppress(Exception):  # the program that needs it will show what is wrong
            importlib.import_module(name)
    for file in given.files:
        record = _forked(Path(file).resolve(), given.seconds, service)
        sys.stdout.write(json.dumps(record) + "\n")
        sys.stdout.flush()
    return 0


def shadow() -> Any:
    """Put our layers under the libraries' names; the service that will answer them."""
    from ordojo.compat import transport
    from ordojo.compat.libraries import SHADOWS
    from ordojo.compat.service import Service
    from ordojo.sandbox.standins import install

    install(SHADOWS)
    service = Service(inline=True)
    transport.use(service)
    return service


def execute(file: str, words: Sequence[str], service: Any = None) -> dict[str, Any]:
    """Run a program as __main__ in this process; what its last model came to, as plain JSON.

    Keys: status and objective (None without), error (class, errno, message, and the code for a
    SystemExit), expected (the variable of that name, if the program has one), solves.
    """
    space: dict[str, Any] = {"__name__": "__main__", "__file__": file, "__builtins__": __builtins__}
    sys.argv = list(words)
    error: dict[str, Any] | None = None
    try:
        exec(compile(Path(file).read_text(encoding="utf-8"), file, "exec"), space)
    except SystemExit as end:
        if end.code not in (None, 0):
            error = {"class": "SystemExit", "code": end.code}
    except BaseException as fault:  # whatever the program raises is its ending
        traceback.print_exc()
        error = {"class": type(fault).__name__, "message": str(fault)}
        error["errno"] = getattr(fault, "errno", getattr(fault, "retcode", None))
    status, objective = _state(_model(space))
    solves = [] if service is None else [record.to_json() for record in service.records]
    if status is None and solves:
        objective = solves[-1]["objective"]
    return {
        "status": status,
        "objective": objective,
        "error": error,
        "expected": _number(space.get("expected")),
        "solves": solves,
    }


def _alone(file: str, words: Sequence[str], service: Any) -> int:
    try:
        os.fstat(REPORT)
        target = REPORT
    except OSError:
        target = 2
    record = execute(file, words, service)
    sys.stdout.flush()
    os.write(target, (json.dumps(record) + "\n").encode())
    error = record["error"] or {}
    return 0 if not error else int(error["code"]) if isinstance(error.get("code"), int) else 1


def _forked(file: Path, seconds: float, service: Any) -> dict[str, Any]:
    start = monotonic()
    with tempfile.TemporaryDirectory(prefix="ordojo-program-") as folder:
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            _child(file, folder, writer, service)
        os.close(writer)
        text = _read(reader, seconds)
        if text is None:
            os.kill(child, signal.SIGKILL)
        _, ending = os.waitpid(child, 0)
        output = Path(folder, ".stdout").read_text(errors="replace").splitlines()
    record: dict[str, Any] = {"program": file.stem, "seconds": round(monotonic() - start, 3)}
    if text:
        record |= json.loads(text)
    else:
        why = "ran past its time" if text is None else f"died (wait status {ending})"
        record |= {"status": None, "objective": None, "expected": None, "solves": []}
        record["error"] = {"class": "Died", "message": why}
    record["lines"] = [line[len(MARK) :] for line in output if line.startswith(MARK)]
    return record


def _child(file: Path, folder: str, writer: int, service: Any) -> None:
    """The forked process: never returns."""
    try:
        os.chdir(folder)
        for descriptor, name in ((1, ".stdout"), (2, ".stderr")):
            handle = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            os.dup2(handle, descriptor)
        record = execute(str(file), [str(file)], service)
        record["stderr"] = Path(".stderr").read_text(errors="replace")[-2000:]
        sys.stdout.flush()
        os.write(writer, json.dumps(record).encode())
    finally:
        os._exit(0)


def _read(reader: int, seconds: float) -> bytes | None:
    """All that the child writes; None where it has not ended in time."""
    found = b""
    end = monotonic() + seconds
    with selectors.DefaultSelector() as ready, os.fdopen(reader, "rb", buffering=0) as stream:
        ready.register(stream, selectors.EVENT_READ)
        while (left := end - monotonic()) > 0:
            if ready.select(left):
                piece = stream.read(1 << 16)
                if not piece:
                    return found
                found += piece
    return None


def _model(space: Mapping[str, Any]) -> Any:
    """The program's model: what it calls m or model, else the last one among its names."""
    models = {k: v for k, v in space.items() if type(v).__name__ == "Model" and _ours(type(v))}
    for name in ("m", "model"):
        if name in models:
            return models[name]
    return next(reversed(models.values()), None)


def _ours(kind: type) -> bool:
    return kind.__module__.startswith((*LAYERS, "coptcore", "ordojo.compat"))


def _state(model: Any) -> tuple[int | None, float | None]:
    """Status and objective; both libraries know these spellings."""
    found: list[Any] = []
    for name in ("status", "objval"):
        try:
            found.append(getattr(model, name))
        except Exception:  # what each library raises where there is none
            found.append(None)
    status = int(found[0]) if isinstance(found[0], int) else None
    return status, _number(found[1])


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) else None


if __name__ == "__main__":
    sys.exit(main())
