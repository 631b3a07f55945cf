"""What a coptpy model keeps and logs, its parameters, and the solver's problem made of it."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

from ordojo.compat.coptpy.constants import BY_LOWER, COPT, INFINITY, cut, invalid, unsupported
from ordojo.compat.coptpy.expressions import add_formula
from ordojo.compat.core.assemble import problem_of
from ordojo.compat.core.expressions import TemporaryConstraint
from ordojo.compat.core.handles import ByName
from ordojo.compat.core.parameters import ParameterValues, spelled, write_log
from ordojo.compat.core.store import ElementNames, FormulaPart, Goal, Store
from ordojo.compat.logs import say
from ordojo.milp.model import ENDLESS
from ordojo.solvers.answers import SolveResult
from ordojo.solvers.problem import Problem, Settings

TOLD = spelled("""
    time_limit=TimeLimit mip_gap=RelGap mip_gap_abs=AbsGap feasibility_tol=FeasTol
    integrality_tol=IntTol node_limit=NodeLimit
""")
HONOURED = frozenset({*TOLD.values(), "Presolve", "Logging", "LogToConsole"})
IGNORED: set[str] = set()
"""Names of the parameters that programs of this process have set without effect."""


class Values(ParameterValues):
    """The values of one model's parameters."""

    by_lower, told, honoured, ignored = BY_LOWER, TOLD, HONOURED, IGNORED
    unknown = "Invalid parameter name"

    def set(self, name: Any, value: Any) -> tuple[str, float]:
        """Set a parameter, brought into its range; its own spelling and the value it has now."""
        parameter = self.found(name)
        new: Any = parameter.kind(value)
        new = parameter.kind(max(parameter.low, min(parameter.high, new)))
        self._keep(parameter, new)
        return parameter.name, new

    def info(self, name: Any) -> tuple[Any, ...]:
        """Name, value, default, least and greatest value."""
        found = self.found(name)
        kind = found.kind
        return (found.name, self[found.name], found.default, kind(found.low), kind(found.high))

    def settings(self, relaxed: bool, lazy: bool) -> Settings:
        """What of the parameters the solver service is told."""
        presolve = self["Presolve"] != 0
        return self._told(presolve=presolve, relaxed=relaxed, lazy=lazy)


class ParamSetting(ByName):
    """`Model.Param`: the parameters as attributes."""

    __slots__ = ("_model",)

    def __init__(self, model: Any) -> None:
        self._model = model

    def _read(self, name: str) -> Any:
        return self._model.getParam(name)

    def _write(self, name: str, value: Any) -> None:
        self._model.setParam(name, value)

    def __repr__(self) -> str:
        return "<coptpy.ParamSetting>"


class CoptNames(ElementNames):
    """Names in order; one that was not given is empty to the program and numbered for solvers."""

    brackets, finds_bare = ("(", ")"), False


@dataclass(slots=True)
class SolveOutcome:
    """What is known of the last solve beside the result; sizes tell whether it still fits."""

    status: int = COPT.UNSTARTED
    lp_status: int = COPT.UNSTARTED
    mip_status: int = COPT.UNSTARTED
    is_mip: bool = False
    cols: int = 0
    rows: int = 0
    objective: float = 0.0


_ENDS = {
    COPT.OPTIMAL: "Optimal",
    COPT.INFEASIBLE: "Infeasible",
    COPT.UNBOUNDED: "Unbounded",
    COPT.INF_OR_UNB: "Infeasible or unbounded",
    COPT.TIMEOUT: "Timeout",
    COPT.NODELIMIT: "Node limit",
    COPT.INTERRUPTED: "Interrupted",
}


class State(Store):
    """The store of a coptpy model, whose changes are all seen at once.

    `iis` has, after `computeIIS`, the sides of its rows and columns as members (`core.subsystem`),
    and its other parts. `callback` wants to be called in the contexts of `context`, `lazy` are
    comparisons for lazy rows.
    """

    unsupported = staticmethod(unsupported)
    stranger = staticmethod(partial(invalid, "Invalid col index"))
    copied = (*Store.copied, "formula", "proposed")

    def __init__(self, name: str, params: Values) -> None:
        super().__init__(name)
        self.params = params
        self.col_names: CoptNames = CoptNames("C")
        self.row_names: CoptNames = CoptNames("R")
        self.outcome = SolveOutcome()
        self.iis: set[Any] | None = None
        self.iis_minimal = True
        self.formula: Any = None
        self.proposed: list[tuple[Any, float]] = []
        self.callback: Any = None
        self.context = 0
        self.lazy: list[TemporaryConstraint] = []
        self.relaxed: dict[str, Any] | None = None
        self.log_file = ""

    def label(self, col: int) -> str:
        """A column's name for texts."""
        return "" if col < 0 else self.col_names.given(col)

    def start_values(self) -> list[tuple[Any, float]]:
        """Pairs of variable and start value, of which later ones count."""
        return self.proposed

    def later(self, change: Callable[..., None], *args: Any) -> None:
        """Make a change at once."""
        change(*args)

    def seen(self) -> Self:
        """The store with everything that awaited it."""
        self.update()
        return self

    def values(self) -> list[float] | None:
        """The solution by column, None where there is none or columns were added or removed."""
        if self.outcome.cols != len(self.columns):
            return None
        return self.x

    def column_result(self) -> SolveResult | None:
        """The last solve's result, None where it has no solution or columns were added since."""
        return None if self.values() is None else self.result

    def row_result(self) -> SolveResult | None:
        """The last solve's result, None where it has no solution or rows were added since."""
        fits = self.outcome.rows == len(self.rows) and self.x is not None
        return self.result if fits else None

    def objectives(self) -> list[Goal]:
        """The several objectives, each turned to the model's sense."""
        ranks = sorted({aim.priority for aim in self.goals.values()})
        found = []
        for number, aim in sorted(self.goals.items()):
            turn = 1.0 if (aim.sense < 0) == self.maximize else -1.0
            turned = dataclasses.replace(
                aim,
                name=f"objective{number}",
                priority=ranks.index(aim.priority),
                constant=turn * aim.constant,
                coeffs=[turn * c for c in aim.coeffs],
            )
            found.append(turned)
        return found

    def sides(self, row: int) -> tuple[float, float]:
        """Lower and upper side of a row, in COPT's infinity."""
        sense, rhs = chr(self.senses[row]), cut(self.rhs[row])
        if sense == "R":
            return cut(self.lows[self.rows[row]]), rhs
        lower = -INFINITY if sense == "<" else rhs
        return lower, (INFINITY if sense == ">" else rhs)

    def set_sides(self, row: int, lower: float, upper: float) -> None:
        """Give a row other sides."""
        low, high = lower > -ENDLESS, upper < ENDLESS
        self.lows.pop(self.rows[row], None)
        if low and high and lower != upper:
            self.lows[self.rows[row]] = lower
            sense = "R"
        else:
            sense = "=" if low and high else ">" if low else "<"
        self.senses[row] = ord(sense)
        self.rhs[row] = lower if sense == ">" else upper

    def lines(self, *texts: str) -> None:
        """Print lines of the log, and write them to the log file, unless logging is off."""
        if not self.params["Logging"]:
            return
        write_log(texts, say if self.params["LogToConsole"] else None, self.log_file)

    def before(self, problem: Problem, mixed: bool) -> None:
        """The model's size."""
        model = problem.model
        kind = "a MIP" if mixed else "an LP"
        self.lines(
            "ordojo solves a coptpy model",
            f"{'Max' if model.maximize else 'Min'}imizing {kind} problem",
            "",
            "The original problem has:",
            f"    {model.m} rows, {model.n} columns and {model.nonzeros} non-zero elements",
            "",
        )

    def after(self, result: SolveResult, mixed: bool) -> None:
        """How the solve ended."""
        status = self.outcome.status
        if not mixed:
            value = f"{result.objective:.10e}" if status == COPT.OPTIMAL else "-"
            self.lines(
                "Solving finished",
                f"Status: {_ENDS.get(status, 'Unfinished')}  Objective: {value}  "
                f"Iterations: {result.iterations}  Time: {result.seconds:.2f}s",
            )
            return
        limit = f"integer optimal (relative gap limit {self.params['RelGap']:g})"
        text = limit if status == COPT.OPTIMAL else _ENDS.get(status, "unfinished").lower()
        self.lines(
            f"Best solution   : {_number(result.objective)}",
            f"Best bound      : {_number(result.bound)}",
            f"Best gap        : {100 * gap(result):.4f}%",
            f"Solve time      : {result.seconds:.2f}",
            f"Solve node      : {result.nodes}",
            f"MIP status      : {'solved' if status == COPT.OPTIMAL else 'stopped'}",
            f"Solution status : {text}",
        )


def gap(result: SolveResult) -> float:
    """The relative gap between incumbent and bound, 0 where one of them is missing."""
    if result.objective is None or result.bound is None:
        return 0.0
    distance = abs(result.objective - result.bound)
    largest = max(abs(result.objective), abs(result.bound))
    return float(distance / largest) if largest else 0.0


def _number(value: float | None) -> str:
    return "-" if value is None or abs(value) >= COPT.INFINITY else f"{value:.9f}"


def problem_now(state: Any, relaxed: bool = False) -> Problem:
    """The state as the solver's problem."""
    state.update()
    lazy = bool(state.lazy) or state.callback is not None
    settings = state.params.settings(relaxed, lazy)
    aim = None
    if state.goals:
        return dataclasses.replace(problem_of(state, settings, add_formula), quadratic=None)
    if state.formula is not None:
        aim = FormulaPart(name="objective", formula=state.formula, result=("objective", 0.0))
    return problem_of(state, settings, add_formula, aim)
