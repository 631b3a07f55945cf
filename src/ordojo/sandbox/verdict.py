"""From what was watched to one `Execution`: which outcome, and in which words."""

import json
import os
import signal
from typing import Any

from ordojo.sandbox.outcome import Execution, Limits, Outcome
from ordojo.sandbox.watch import Watch

_NO_MEMORY = (b"bad_alloc", b"MemoryError", b"annot allocate memory", b"ut of memory")


def conclude(watch: Watch, limits: Limits, isolation: str, wall: float) -> Execution:
    """Judge a finished watch. A limit that the host enforced comes before all else."""
    ended = watch.ended or {}
    status = ended.get("status")
    number = os.WTERMSIG(status) if status is not None and os.WIFSIGNALED(status) else None
    code = os.WEXITSTATUS(status) if status is not None and os.WIFEXITED(status) else None
    cpu = float(ended.get("cpu", 0.0))
    ending = _parse(watch.ending)
    told = {key: str(ending.get(key, "")) for key in ("type", "message", "traceback", "kind")}
    if watch.reason is not None:
        outcome, detail = watch.reason, watch.detail
    elif cpu > limits.cpu + 1:  # its children's, which ended before anybody looked
        outcome, detail = Outcome.TIME_LIMIT, f"over {limits.cpu:g} s of processor time"
    elif status is None:
        outcome, detail = Outcome.KILLED, "the worker was lost with the program"
    elif number is not None:
        outcome, detail = _signalled(number, cpu, limits, bytes(watch.stderr[-4000:]))
    elif told["kind"] == "syntax":
        outcome, detail = Outcome.SYNTAX_ERROR, told["message"]
    elif told["kind"] == "raised":
        bases = ending.get("bases")
        full = isinstance(bases, list) and "MemoryError" in bases
        outcome = Outcome.MEMORY_LIMIT if full else Outcome.RAISED
        detail = f"{told['type']}: {told['message']}"
    elif code:
        outcome, detail = Outcome.EXITED, f"exit code {code}"
    else:
        outcome, detail = Outcome.FINISHED, ""
    return Execution(
        outcome=outcome,
        detail=detail,
        stdout=watch.stdout.decode(errors="replace"),
        stderr=watch.stderr.decode(errors="replace"),
        result=_result(watch.result),
        exception=told["type"],
        message=told["message"],
        traceback=told["traceback"],
        exit_code=code,
        signal=number,
        wall=wall,
        cpu=cpu,
        service=watch.calls.served,
        calls=watch.calls.count,
        max_rss=int(ended.get("resident", 0)),
        isolation=isolation,
    )


def _signalled(number: int, cpu: float, limits: Limits, stderr: bytes) -> tuple[Outcome, str]:
    name = signal.Signals(number).name if number in signal.valid_signals() else str(number)
    if number == signal.SIGXCPU or (number == signal.SIGKILL and cpu >= limits.cpu):
        return Outcome.TIME_LIMIT, f"over {limits.cpu:g} s of processor time"
    if number == signal.SIGXFSZ:
        return Outcome.DISK_LIMIT, f"a file over {limits.file_size} bytes"
    if number == signal.SIGABRT and any(words in stderr for words in _NO_MEMORY):
        return Outcome.MEMORY_LIMIT, "compiled code could get no more memory"
    return Outcome.KILLED, f"ended by {name}"


def _parse(payload: bytes | None) -> dict[str, Any]:
    """The program's own account of its end, if it is one."""
    found = _result(payload)
    return found if isinstance(found, dict) else {}


def _result(payload: bytes | None) -> object:
    """JSON from the program, or None when it is none."""
    try:
        found: object = json.loads(payload) if payload else None
    except (ValueError, RecursionError):
        return None
    return found
