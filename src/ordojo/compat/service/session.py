"""A conversation with a solver's process about one problem."""

import secrets
from dataclasses import dataclass
from time import monotonic
from typing import Any

import numpy as np

from ordojo.compat import answers
from ordojo.compat.events import Event, Reply
from ordojo.compat.problem import Ending, Problem, Result
from ordojo.compat.service.pool import POOL, Lost, SolverProcess
from ordojo.compat.wire import Refused, pack
from ordojo.core.errors import SolverError


@dataclass(frozen=True, slots=True)
class Terms:
    """What holds for every solve of a program: bytes, seconds beyond the limit, who solves."""

    memory: int
    grace: float
    solver: str


class Session:
    """One conversation with a solver's process about one problem."""

    def __init__(
        self,
        terms: Terms,
        problem: Problem,
        interactive: bool,
        seconds: float,
        kind: str = "solve",
    ) -> None:
        self.problem = problem
        self.token = secrets.token_hex(16)
        self._grace = terms.grace
        # Solving twice (without the objective, by another solver) and reading in take time, too.
        self._deadline = monotonic() + seconds + self._grace
        self._started = monotonic()
        self.process: SolverProcess = POOL.borrow(terms.memory)
        self._first: dict[str, Any] | None = {
            "kind": kind,
            "problem": np.frombuffer(pack({"problem": problem}), np.uint8),
            "seconds": seconds,
            "deadline": seconds + 2 * self._grace if not interactive else 10 * seconds + 600.0,
            "interactive": interactive,
            "solver": terms.solver,
        }

    def message(self, reply: dict[str, Any] | None) -> dict[str, Any]:
        """Send what is next, and wait for the answer; raises Lost, Refused, or SolverError."""
        sent, self._first = self._first, None
        self.process.send(sent if reply is None and sent is not None else reply or {})
        left = max(self._deadline - monotonic(), self._grace)
        found = self.process.receive(left)
        if found["kind"] != "event":
            POOL.give_back(self.process)
        if found["kind"] == "refused":
            raise Refused(str(found["message"]))
        if found["kind"] == "broken":
            raise SolverError(f"the solver service failed: {found['message']}; report this")
        return found

    def go_on(self, reply: dict[str, Any] | None) -> Event | Result:
        """Begin, or answer the event; the next event or the result."""
        try:
            found = self.message(reply)
        except Lost as lost:
            ending = Ending.TIME_LIMIT if lost.late else Ending.NUMERIC
            seconds = monotonic() - self._started
            return Result(ending, seconds=seconds, detail=str(lost))
        if found["kind"] == "event":
            return answers.read_event(found["event"])
        return answers.read_result(found["result"])


def pack_reply(reply: Reply) -> dict[str, Any]:
    """A callback's reply as a message's header."""
    return {"kind": "reply", "reply": reply}
