"""The model under repair: the code's present form, its status, its IIS, the solver that says so."""

from ordojo.benchmarks.or_debug.repairs import Change
from ordojo.benchmarks.or_debug.schema import Debugging, OrDebugOptions
from ordojo.core.errors import SolverError
from ordojo.milp.model import Floats, Model
from ordojo.solvers.answers import SolveResult, Status
from ordojo.solvers.choose import get_oracle
from ordojo.solvers.highs import HighsOracle
from ordojo.solvers.protocol import Oracle, SolverSession

START = SolveResult(Status.INFEASIBLE)

LARGE_LIMIT = 60.0
"""Seconds at least for the first solve of a large model."""

TABLE_18 = {"IISMethod": 1, "Threads": 4, "MIPGap": 0.01}
"""The paper's settings of Gurobi (B.5); its 10 seconds are `time_limit`'s default."""


def oracle_of(options: OrDebugOptions) -> Oracle:
    """The oracle that is asked for, Gurobi set as in the paper; SolverError where it is missing."""
    if options.oracle != "gurobi":
        return get_oracle(options.oracle)
    from ordojo.solvers.gurobi import GurobiOracle

    return GurobiOracle(TABLE_18)


class Workbench:
    """Holds one model at a time and solves it after each change.

    The first answer of an episode is the instance's own, found by HiGHS, or that of the oracle
    where it is another one; else the solver is loaded at the first change.
    A model that the policy has made unsolvable has status ERROR, and `error` says why.
    """

    def __init__(self, oracle: Oracle, time_limit: float, simulated: bool = False) -> None:
        self._oracle, self._time_limit = oracle, time_limit
        self._recorded = simulated or oracle.name == HighsOracle.name
        self._session: SolverSession | None = None
        self._aside: SolverSession | None = None
        self._loaded = False
        self.problem: Debugging
        self.model: Model
        self.solution = START
        self.rows: tuple[str, ...] = ()
        self.bounds: tuple[str, ...] = ()
        self.error = ""

    @property
    def status(self) -> Status:
        """The status of the model as it stands."""
        return self.solution.status

    @property
    def optimum(self) -> float | None:
        """The objective of the model as it stands, None unless it is OPTIMAL."""
        return self.solution.objective if self.status == Status.OPTIMAL else None

    def begin(self, problem: Debugging) -> None:
        """Take up the sabotaged model, with its IIS; also what RESTART does.

        A silently wrong model is solved. Raises SolverError where the oracle does not find an
        infeasible model infeasible, or a silently wrong one optimal.
        """
        self.problem, self.model = problem, problem.model
        self.solution, self.error, self._loaded = START, "", False
        self.rows, self.bounds = problem.iis_rows, problem.iis_bounds
        if problem.is_silent:
            self._solve_first()
        elif not self._recorded:
            self.rows, self.bounds = self._own_iis()

    @property
    def _first_limit(self) -> float:
        """Seconds for a model that no policy has changed: a large one takes some."""
        return max(self._time_limit, LARGE_LIMIT) if self.problem.is_recipe else self._time_limit

    def _solve_first(self) -> None:
        """Solve a model that is not infeasible; raises SolverError where it has no optimum."""
        session = self._session = self._session or self._oracle.session()
        session.load(self.model)
        self._loaded = True
        self.solution = session.solve(self._first_limit)
        if self.status != Status.OPTIMAL:
            raise SolverError(
                f"{self._oracle.name} finds the model of {self.problem.split} {self.problem.type} "
                f"{self.problem.index} {self.status.value}, not OPTIMAL; raise time_limit"
            )

    def apply(self, change: Change) -> None:
        """Change the model and solve it."""
        self.model = change.on_model(self.model)
        self.rows = self.bounds = ()
        self.error = ""
        session = self._session = self._session or self._oracle.session()
        try:
            if self._loaded:
                change.on_session(session)
            else:
                session.load(self.model)
                self._loaded = True
            self.solution = session.solve(self._time_limit)
            if self.status == Status.INFEASIBLE:
                iis = session.iis(self._time_limit)
                self.rows, self.bounds = iis.row_names(self.model), iis.bound_names(self.model)
        except SolverError as error:
            # Only the policy's changes stand between the verified instance and this model.
            self.solution, self.error = SolveResult(Status.ERROR), str(error)
            self._loaded = False

    def suppose(self, status: Status, iis: tuple[str, ...], change: Change) -> None:
        """Change the model without a solver, and believe this status and IIS."""
        self.model = change.on_model(self.model)
        self.solution = SolveResult(status)
        self.rows = tuple(name for name in iis if name in self.model.rows)
        self.bounds = tuple(name for name in iis if name not in self.model.rows)

    def take(self, model: Model | None, solution: SolveResult) -> None:
        """Put a model solved elsewhere in the place of this one; None: there is none to change to.

        The IIS of an infeasible one is found here; where the solver cannot, there is none.
        """
        self.rows = self.bounds = ()
        self.solution, self.error, self._loaded = solution, "", False
        if model is None:
            return
        self.model = model
        if self.status != Status.INFEASIBLE:
            return
        session = self.aside()
        try:
            session.load(model)
            if session.solve(self._time_limit).status == Status.INFEASIBLE:
                iis = session.iis(self._time_limit)
                self.rows, self.bounds = iis.row_names(model), iis.bound_names(model)
        except SolverError as error:
            self.error = str(error)

    def _own_iis(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The oracle's own IIS of the sabotaged model, found once."""
        solver = self._oracle.name, self._time_limit
        found = self.problem.conflicts.get(solver)
        if found is None:
            session = self.aside()
            session.load(self.model)
            status = session.solve(self._time_limit).status
            if status != Status.INFEASIBLE:
                raise SolverError(
                    f"{self._oracle.name} finds the sabotaged model of {self.problem.split} "
                    f"{self.problem.type} {self.problem.index} {status.value}, not INFEASIBLE; "
                    "raise time_limit, or take oracle=highs"
                )
            iis = session.iis(self._time_limit)
            found = iis.row_names(self.model), iis.bound_names(self.model)
            self.problem.conflicts[solver] = found
        return found

    def original_optimum(self) -> Floats:
        """The optimum (n) of the original model, found once: training plays an instance often."""
        solver = self._oracle.name, self._time_limit
        found = self.problem.optima.get(solver)
        if found is None:
            session = self.aside()
            session.load(self.problem.original_model)
            found = session.solve(self._first_limit).x
            if found is None:
                raise SolverError(
                    f"the original model of {self.problem.split} {self.problem.type} "
                    f"{self.problem.index} was not solved in {self._time_limit:g} s; "
                    "run `ordojo verify` on its file"
                )
            self.problem.optima[solver] = found
        return found

    def aside(self) -> SolverSession:
        """A second session, for questions about other models."""
        self._aside = self._aside or self._oracle.session()
        return self._aside

    def close(self) -> None:
        """Free the solvers; any number of times."""
        for session in (self._session, self._aside):
            if session is not None:
                session.close()
        self._session = self._aside = None
        self._loaded = False
