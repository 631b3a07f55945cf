"""How an API layer gets a problem solved: over the sandbox's channel, or in this process."""

import math
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ordojo.compat import messages
from ordojo.compat.messages import pack, unpack
from ordojo.core.errors import SandboxError, SolverError
from ordojo.sandbox import channel
from ordojo.solvers.answers import SolveResult, Status
from ordojo.solvers.problem import Callback, Problem

if TYPE_CHECKING:
    from ordojo.compat.service import Service

_service: "Service | None" = None


def use(service: "Service | None") -> None:
    """Let `service` answer from now on where there is no sandbox around this process.

    None: one that solves within this process, as at the start.
    """
    global _service
    _service = service


def solve(problem: Problem, callback: Callback | None = None) -> SolveResult:
    """Solve a problem; `callback` is asked on the way.

    An error that the callback raises ends the solve and passes through; SolverError where the
    service refuses the problem, NotImplementedError never: see `Status.UNSUPPORTED`.
    """
    if not channel.is_open():
        return _own().solve(problem, callback)
    found = _call({"kind": "solve", "problem": problem, "interactive": callback is not None})
    while found["kind"] == "event":
        assert callback is not None
        try:
            reply = callback(messages.read_event(found["event"]))
        except BaseException:
            _call({"kind": "reply", "token": found["token"], "dropped": True})
            raise
        found = _call({"kind": "reply", "token": found["token"], "reply": reply})
    return messages.read_result(found["result"])


def ask(kind: str, problem: Problem) -> Any:
    """The answer to a question that is no solve; SolverError where it is refused.

    "iis": an `Iis` of rows, bounds and parts, None where there are solutions. "analysis": the
    `Analysis` of a linear program's last basis.
    """
    if not channel.is_open():
        return _own().ask(kind, problem)
    found = _call({"kind": kind, "problem": problem})[kind]
    return messages.READERS[kind](found) if found else None


def tell(
    library: str, ending: Status, objective: Any = None, maximize: bool = False, detail: str = ""
) -> None:
    """Have it recorded, in a sandbox, how a library's own solve ended in this process.

    UNSUPPORTED: the program asked for a feature that we lack; LACKING: it could not import the
    declared library.
    """
    value = None if objective is None else float(objective)
    value = value if value is not None and math.isfinite(value) else None
    if channel.is_open():
        told = {"ending": ending, "objective": value, "maximize": bool(maximize)}
        with suppress(SandboxError, SolverError):  # where nobody listens
            _call({"kind": "told", "library": library, "detail": detail, **told})


def _own() -> "Service":
    global _service
    if _service is None:
        from ordojo.compat.service import Service

        _service = Service(inline=True)
    return _service


def _call(message: Mapping[str, Any]) -> dict[str, Any]:
    found = unpack(channel.call(pack(message)))
    if found["kind"] == "refused":
        raise SolverError(str(found["message"]))
    return found
