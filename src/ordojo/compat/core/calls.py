"""Solves and other questions to the service, calls of a program's callback, and what is lacking."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ordojo.compat import transport
from ordojo.compat.core.assemble import merged
from ordojo.core.errors import SolverError
from ordojo.milp.objects.sketch import sides
from ordojo.solvers.answers import SolveResult, Status
from ordojo.solvers.problem import CallbackReply, Event, LazyConstraint, Problem


@dataclass
class CallbackCall:
    """One call of the program's callback: what it may read and what it has asked for.

    `size` counts the problem's columns, of which the model's own come first.
    """

    event: Event
    state: Any
    size: int
    rows: list[LazyConstraint] = field(default_factory=list)
    solution: Any = None
    stop: bool = False

    @property
    def own(self) -> list[float] | None:
        """The event's point in the model's own columns."""
        x = self.event.x
        return None if x is None else x[: len(self.state.columns)].tolist()

    def bounds(self, infinity: float) -> tuple[float, float]:
        """The best objective and the bound on it; what is not known is infinite."""
        worst = -infinity if self.state.maximize else infinity
        best, bound = self.event.best, self.event.bound
        return (worst if best is None else best), (-worst if bound is None else bound)

    def propose(self, pairs: Iterable[tuple[Any, float]]) -> None:
        """Propose values for variables."""
        if self.solution is None:
            self.solution = np.full(self.size, np.nan)
        for var, value in pairs:
            self.solution[var._col] = value

    def reply(self) -> CallbackReply:
        """What the solver is answered."""
        return CallbackReply(tuple(self.rows), self.stop, self.solution)


def asking(refused: Callable[[SolverError], Exception]) -> Callable[..., Any]:
    """What asks the solver service; `refused` is the interface's error where it does not answer."""

    def ask(question: Callable[..., Any], *given: Any) -> Any:
        try:
            return question(*given)
        except SolverError as error:
            raise refused(error) from None

    return ask


def solved(
    problem: Problem, callback: Callable[[Event], CallbackReply] | None = None
) -> SolveResult:
    """What the solver service makes of a problem; NotImplementedError where it cannot take it."""
    result = transport.solve(problem, callback)
    if result.status == Status.UNSUPPORTED:
        raise NotImplementedError(result.detail)
    return result


def lazy_row(state: Any, whole: Any, sense: str) -> LazyConstraint:
    """`whole` (sense) 0 as a lazy row."""
    state.check(whole._v)
    index, value = merged(whole._c, whole._v)
    return LazyConstraint(index, value, *sides(sense, 0.0 - whole._k))


def lacking(library: str, owner: str) -> Callable[..., NotImplementedError]:
    """Makes the error for a feature that a layer lacks, and has it recorded by the service."""
    own = f"leave it out, or run the program with {owner}'s own {library}"

    def unsupported(feature: str, instead: str = own) -> NotImplementedError:
        transport.tell(library, Status.UNSUPPORTED, detail=feature)
        return NotImplementedError(f"{feature} is not supported by ordojo's {library}; {instead}")

    return unsupported


def refusing(name: str, unsupported: Callable[[str], Exception]) -> Callable[..., Any]:
    """A function that raises the error for a feature which a layer lacks."""

    def call(*given: Any, **words: Any) -> Any:
        raise unsupported(name)

    call.__doc__ = "Not supported."
    return call
