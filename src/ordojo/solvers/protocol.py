"""The oracle: one protocol, several solvers, each declaring what it can do."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import closing

import numpy as np

from ordojo.core.errors import SolverError
from ordojo.milp.model import Model, VarType
from ordojo.solvers.answers import Iis, SolveResult, Status

TIME_LIMIT = 10.0
"""Seconds a solve may take (paper 004, table 16)."""


class SolverSession(ABC):
    """A model that a solver holds, changed in place and solved again.

    The same calls in the same order give the same answers. Row numbers are those of the loaded
    model throughout; a dropped row is one without sides. As it stands here the model is data, and
    a solver that keeps nothing warm builds it anew at each solve.
    """

    _model: Model | None = None

    def load(self, model: Model) -> None:
        """Forget everything before, and hold `model`."""
        self._model = model

    def current(self) -> Model:
        """The model as it stands; SolverError where there is none."""
        if self._model is None:
            raise SolverError("this session holds no model; load one first")
        return self._model

    def set_row_bounds(self, i: int, lower: float, upper: float) -> None:
        """Move row i's sides."""
        self.load(self.current().with_row_bounds(i, lower, upper))

    def set_row(
        self, i: int, index: Sequence[int], value: Sequence[float], lower: float, upper: float
    ) -> None:
        """Put another row in the place of row i."""
        self.load(self.current().with_row(i, index, value, lower, upper))

    def set_col_bounds(self, j: int, lower: float, upper: float) -> None:
        """Move column j's own bounds; a BINARY column stays within [0, 1] besides."""
        self.load(self.current().with_col_bounds(j, lower, upper))

    def set_type(self, j: int, kind: VarType) -> None:
        """Make column j of another type."""
        self.load(self.current().with_type(j, kind))

    @abstractmethod
    def solve(self, time_limit: float = TIME_LIMIT) -> SolveResult:
        """Solve as it stands; raises SolverError where the solver breaks its own promises."""

    @abstractmethod
    def iis(self, time_limit: float = TIME_LIMIT) -> Iis:
        """An IIS of the model as it stands; raises SolverError unless it is infeasible."""

    def close(self) -> None:
        """Free the solver; any number of times."""
        self._model = None

    def _obvious(self) -> int | None:
        """A row or column (at m + j) that cannot hold by itself, which SCIP would not take."""
        model = self.current()
        low, up = model.effective_bounds
        bare = np.diff(model.starts) == 0
        wrong = model.row_lower > model.row_upper
        wrong |= bare & ((model.row_lower > 0) | (model.row_upper < 0))
        places = np.flatnonzero(np.concatenate([wrong, low > up]))
        return int(places[0]) if len(places) else None


class Oracle(ABC):
    """A solver behind the protocol."""

    name: str

    @property
    @abstractmethod
    def version(self) -> str:
        """The solver's version, for certificates."""

    @abstractmethod
    def session(self) -> SolverSession:
        """A new session, empty."""

    def solve(self, model: Model, time_limit: float = TIME_LIMIT) -> SolveResult:
        """Solve once, cold."""
        with closing(self.session()) as session:
            session.load(model)
            return session.solve(time_limit)

    def iis(self, model: Model, time_limit: float = TIME_LIMIT) -> Iis:
        """An IIS, cold."""
        with closing(self.session()) as session:
            session.load(model)
            return session.iis(time_limit)


class NotInfeasibleError(SolverError):
    """A solver was asked why there is no solution, and found one."""


def need_infeasible(model: Model, status: Status) -> None:
    """Raise SolverError where a model of this status has no infeasible subsystem to be found.

    It is a NotInfeasibleError where there is a solution.
    """
    if status == Status.TIME_LIMIT:
        raise SolverError(f"'{model.name}' was not proved infeasible in the time; give more")
    if status != Status.INFEASIBLE:
        found = status in (Status.OPTIMAL, Status.UNBOUNDED)
        raise (NotInfeasibleError if found else SolverError)(
            f"the model '{model.name}' is {status.value.lower().replace('_', ' ')}, so it has "
            "no infeasible subsystem; ask for one where a solve says INFEASIBLE"
        )
