"""One running solve as the solvers see it: its clock and its callback."""

from time import perf_counter

import numpy as np

from ordojo.milp.model import ENDLESS, Floats
from ordojo.milp.tolerances import PRIMAL
from ordojo.solvers.answers import SolveResult, Status
from ordojo.solvers.problem import MIPSOL, Callback, CallbackReply, Event, LazyConstraint

PAUSE = 0.05
"""Seconds between questions at which nothing but the bounds is new: a question crosses
two processes, about a millisecond, so that 20 a second cost some 2% of the search."""


class Clock:
    """The time that a solve has."""

    __slots__ = ("_seconds", "_started")

    def __init__(self, seconds: float) -> None:
        self._seconds, self._started = seconds, perf_counter()

    @property
    def seconds(self) -> float:
        """Seconds since the solve began."""
        return perf_counter() - self._started

    @property
    def left(self) -> float:
        """Seconds until the limit, not below zero."""
        return max(self._seconds - self.seconds, 0.0)

    def share(self, part: float = 1.0) -> float:
        """Seconds for a part of what is left; never none: a solver has to say that it is over."""
        return max(part * self.left, 0.01)


class Search(Clock):
    """What a solve is asked to do besides the problem, and why it was stopped.

    `terminated` is set where the callback ended the solve, `error` is what it raised, `pool` holds
    the lazy rows that it gave. Bounds are in the model's own min or max.
    """

    def __init__(self, seconds: float, callback: Callback | None = None) -> None:
        super().__init__(seconds)
        self.callback = callback
        self.terminated = False
        self.error: BaseException | None = None
        self.pool: list[LazyConstraint] = []
        self._asked: float | None = None

    def again(self, callback: Callback | None) -> "Search":
        """The same search for a further solve: its clock and lazy rows."""
        other = Search(self._seconds, callback)
        other._started, other.pool = self._started, self.pool
        return other

    def due(self) -> bool:
        """Whether it is time to ask a callback again that wants to see the search go on."""
        if self._asked is not None and self.seconds < self._asked + PAUSE:
            return False
        self._asked = self.seconds
        return True

    def ask(self, event: Event) -> CallbackReply:
        """The callback's reply to an event; lazy rows join the pool."""
        if self.callback is None or self.terminated:
            return CallbackReply()
        try:
            reply = self.callback(event)
        except BaseException as error:
            # It must not travel through the solver's own frames.
            self.error, self.terminated = error, True
            return CallbackReply()
        self.pool.extend(reply.lazy)
        self.terminated = self.terminated or reply.terminate
        return reply

    def event(
        self,
        where: str,
        best: float | None,
        bound: float | None,
        nodes: int,
        x: Floats | None = None,
        objective: float | None = None,
    ) -> Event:
        """An event at this moment."""
        return Event(
            where, x, objective, _finite(best), _finite(bound), max(nodes, 0), self.seconds
        )

    def accepts(
        self, x: Floats, objective: float, best: float | None, bound: float | None, nodes: int
    ) -> bool:
        """Whether a new point (n) satisfies every lazy row, also those that come now."""
        if self.cutting(x):
            return False
        before = len(self.pool)
        self.ask(self.event(MIPSOL, best, bound, nodes, x, objective))
        return not any(violated(row, x) for row in self.pool[before:])

    def cutting(self, x: Floats) -> list[int]:
        """The numbers of the pool's rows that a point (n) violates."""
        return [k for k, row in enumerate(self.pool) if violated(row, x)]

    def stopped(
        self, best: float | None, bound: float | None, x: Floats | None
    ) -> SolveResult | None:
        """The result of a solve that was stopped from here, None where it was not."""
        if not self.terminated:
            return None
        objective = None if x is None else _finite(best)
        return SolveResult(
            Status.INTERRUPTED,
            objective,
            _finite(bound),
            x,
            seconds=self.seconds,
            detail="the callback ended the solve",
        )


def violated(row: LazyConstraint, x: Floats) -> bool:
    """Whether a point (n) is outside a lazy row by more than the tolerance."""
    activity = float(row.value @ x[row.index])
    slack = PRIMAL * max(1.0, float(np.abs(row.value).max(initial=0.0)))
    return activity < row.lower - slack or activity > row.upper + slack


def _finite(value: float | None) -> float | None:
    return None if value is None or not abs(value) < ENDLESS else float(value)
