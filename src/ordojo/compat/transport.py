"""How an API layer gets a problem solved: over the sandbox's channel, or in this process."""

import math
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ordojo.compat import messages
from ordojo.compat.messages import Analysis, pack, unpack
from ordojo.core.errors import SandboxError, SolverError
from ordojo.sandbox import channel
from ordojo.solvers.answers import Iis, SolveResult, Status
from ordojo.solvers.problem import Callback, CallbackReply, Event, LazyConstraint, Problem

if TYPE_CHECKING:
    from ordojo.compat.service import Service

__all__ = ["Callback", "CallbackReply", "Event", "LazyConstraint", "analyse", "iis", "solve", "use"]

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


def iis(problem: Problem) -> Iis | None:
    """An irreducible infeasible subsystem of rows and bounds; None where there are solutions.

    SolverError where the problem is more than linear rows, or is refused.
    """
    if not channel.is_open():
        return _own().iis(problem)
    found = _call({"kind": "iis", "problem": problem})
    return messages.read_iis(found["iis"]) if found["iis"] else None


def analyse(problem: Problem) -> Analysis:
    """What simplex's last basis says of a linear program; SolverError for what is none."""
    if not channel.is_open():
        return _own().analyse(problem)
    return messages.read_analysis(_call({"kind": "analysis", "problem": problem})["analysis"])


def tell_unsupported(library: str, feature: str) -> None:
    """Have it recorded, in a sandbox, that the program asked for a feature that we lack."""
    _tell(library, Status.UNSUPPORTED, detail=feature)


def tell_failed_import(library: str) -> None:
    """Have it recorded, in a sandbox, that a declared library could not be imported."""
    _tell(library, Status.LACKING)


def tell_solve(
    library: str, ending: Status, objective: Any, maximize: bool, detail: str = ""
) -> None:
    """Have it recorded, in a sandbox, how a library's own solve ended in this process."""
    value = None if objective is None else float(objective)
    value = value if value is not None and math.isfinite(value) else None
    _tell(library, ending, value, maximize, detail)


def _tell(
    library: str,
    ending: Status,
    objective: float | None = None,
    maximize: bool = False,
    detail: str = "",
) -> None:
    if channel.is_open():
        told = {"ending": ending, "objective": objective, "maximize": bool(maximize)}
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
