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

_BROKEN = (Ending.MEMORY, Ending.CRASH)
"""Endings after which a process is not asked again."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What holds for a request: whose it is, who solves, bytes, seconds, and seconds beyond."""

    owner: object
    solver: str
    memory: int
    seconds: float
    grace: float


class Session:
    """One conversation with a solver's process about one problem.

    `request` is the message that the problem came in, which the process reads again.
    """

    def __init__(
        self,
        terms: Terms,
        problem: Problem,
        request: bytes,
        interactive: bool = False,
        kind: str = "solve",
    ) -> None:
        self.problem = problem
        self.token = secrets.token_hex(16)
        self._grace = terms.grace
        # Solving twice (without the objective, by another solver) and reading in take time, too.
        self._deadline = monotonic() + terms.seconds + terms.grace
        self._started = monotonic()
        self.process: SolverProcess = POOL.borrow(terms.memory, terms.solver, terms.owner)
        self._first: dict[str, Any] | None = {
            "kind": kind,
            "request": np.frombuffer(request, np.uint8),
            "seconds": terms.seconds,
            # A callback's own time passes, too, and is limited elsewhere.
            "deadline": 10 * terms.seconds + 600.0
            if interactive
            else terms.seconds + 2 * terms.grace,
            "interactive": interactive,
            "solver": terms.solver,
        }

    def message(self, reply: dict[str, Any] | None) -> dict[str, Any]:
        """Send what is next, and wait for the answer; raises Lost or Refused."""
        sent, self._first = self._first, None
        self.process.send(sent if reply is None and sent is not None else reply or {})
        found = self.process.receive(max(self._deadline - monotonic(), self._grace))
        if found["kind"] == "result" and found["result"]["ending"] in _BROKEN:
            self.process.kill()
        elif found["kind"] != "event":
            POOL.give_back(self.process)
        if found["kind"] == "refused":
            raise Refused(str(found["message"]))
        return found

    def go_on(self, reply: Reply | None) -> Event | Result:
        """Begin, or answer the event; the next event or the result."""
        try:
            found = self.message(None if reply is None else {"kind": "reply", "reply": reply})
        except Lost as lost:
            ending = Ending.MEMORY if lost.full else Ending.CRASH
            ending = Ending.TIME_LIMIT if lost.late else ending
            seconds = monotonic() - self._started
            return Result(ending, seconds=seconds, detail=str(lost))
        if found["kind"] == "event":
            return answers.read_event(found["event"])
        return answers.read_result(found["result"])


def pack_problem(problem: Problem) -> bytes:
    """A problem of this process as a message."""
    return pack({"problem": problem})
