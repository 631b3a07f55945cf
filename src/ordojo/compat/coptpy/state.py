"""What a coptpy model keeps: the shared store, its parameters, and what it logs."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ordojo.compat.coptpy.constants import COPT, INFINITY, cut
from ordojo.compat.coptpy.errors import invalid, unsupported
from ordojo.compat.core.expressions import TemporaryConstraint
from ordojo.compat.core.shared import ParameterValues, SolverParameter, numeric
from ordojo.compat.core.store import LARGE, ElementNames, Goal, Store, StoredConstraint
from ordojo.compat.logs import say
from ordojo.solvers.answers import SolveResult
from ordojo.solvers.problem import Problem, Settings

_WHOLE = """
    BarHomogeneous=-1,-1,1 BarIterLimit=500,0,2147483647 BarOrder=-1,-1,2 BarStart=-1,-1,2
    BarThreads=-1,-1,128 ConcurrentLpMode=-1,-1,3 ConflictAnalysis=-1,-1,1 Crossover=1,-1,1
    CrossoverThreads=-1,-1,128 CutLevel=-1,-1,3 DivingHeurLevel=-1,-1,3 DualPerturb=-1,-1,1
    DualPrice=-1,-1,1 Dualize=-1,-1,1 FAPHeurLevel=-1,-1,4 FeasRelaxMode=0,0,5
    GPUDevice=-1,-1,2147483647 GPUMode=-1,-1,2 HeurLevel=-1,-1,3 IISMethod=-1,-1,1
    LazyConstraints=-1,-1,1 LinearizeIndicators=0,0,1 LinearizeSos=0,0,1 LogLevel=2,2,3
    LogToConsole=1,0,1 Logging=1,0,1 LpMethod=-1,-1,6 MipNLPIterLimit=100,-1,2147483647
    MipRepair=-1,-1,3 MipStartMode=-1,-1,3 MipStartNodeLimit=-1,-1,2147483647 MipTasks=-1,-1,256
    MultiObjParamMode=0,0,1 NLPIterLimit=10000,0,2147483647 NLPLinScale=-1,-1,1
    NLPMuUpdate=-1,-1,1 NodeCutRounds=-1,-1,2147483647 NodeLimit=-1,-1,2147483647
    NonConvex=-1,-1,2 PreRootHeurLevel=-1,-1,3 Presolve=-1,-1,4 ReqFarkasRay=0,0,1
    ReqSensitivity=0,0,1 RootCutLevel=-1,-1,3 RootCutRounds=-1,-1,2147483647
    RoundingHeurLevel=-1,-1,3 SDPMethod=-1,-1,2 Scaling=-1,-1,1 SimplexThreads=-1,-1,128
    StrongBranching=-1,-1,3 SubMipHeurLevel=-1,-1,3 Threads=-1,-1,128 TreeCutLevel=-1,-1,3
    TuneMeasure=-1,-1,1 TuneMethod=-1,-1,1 TuneMode=-1,-1,3 TuneOutputLevel=2,0,3
    TunePermutes=0,0,2147483647 WriteDualProb=0,0,1
"""
_REAL = """
    AbsGap=1e-06,0,inf DualTol=1e-06,1e-09,0.0001 FeasTol=1e-06,1e-09,0.0001
    IntTol=1e-06,1e-09,0.1 MatrixTol=1e-10,0,1e-07 MemLimit=1e+20,0,1e+20
    MultiObjTimeLimit=1e+20,0,1e+20 NLPTol=1e-08,1e-13,0.001 PDLPTol=1e-06,1e-12,0.0001
    QMatrixTol=5e-14,0,1e-07 RelGap=0.0001,0,inf SolTimeLimit=1e+20,0,1e+20
    TimeLimit=1e+20,0,1e+20 TuneTargetRelGap=0.0001,0,inf TuneTargetTime=0.01,0,inf
    TuneTimeLimit=0,0,1e+20
"""
HONOURED = frozenset(
    {
        *("TimeLimit", "RelGap", "AbsGap", "FeasTol", "IntTol", "NodeLimit", "Presolve"),
        *("Logging", "LogToConsole"),
    }
)
IGNORED: set[str] = set()
"""Names of the parameters that programs of this process have set without effect."""


BY_LOWER = {p.name.lower(): p for p in (*numeric(int, _WHOLE), *numeric(float, _REAL))}


class Values(ParameterValues):
    """The values of one model's parameters."""

    by_lower, honoured, ignored = BY_LOWER, HONOURED, IGNORED

    def set(self, name: Any, value: Any) -> tuple[str, float]:
        """Set a parameter, brought into its range; its own spelling and the value it has now."""
        parameter = find(name)
        new: Any = parameter.kind(value)
        new = parameter.kind(max(parameter.low, min(parameter.high, new)))
        self._keep(parameter, new)
        return parameter.name, new

    def info(self, name: Any) -> tuple[Any, ...]:
        """Name, value, default, least and greatest value."""
        found = find(name)
        kind = found.kind
        return (found.name, self[found.name], found.default, kind(found.low), kind(found.high))

    def settings(self, relaxed: bool, lazy: bool) -> Settings:
        """What of the parameters the solver service is told."""
        changed = self.changed
        nodes = changed.get("NodeLimit", -1)
        return Settings(
            time_limit=changed.get("TimeLimit"),
            mip_gap=changed.get("RelGap"),
            mip_gap_abs=changed.get("AbsGap"),
            feasibility_tol=changed.get("FeasTol"),
            integrality_tol=changed.get("IntTol"),
            node_limit=None if nodes < 0 else float(nodes),
            presolve=changed.get("Presolve") != 0,
            relaxed=relaxed,
            lazy=lazy,
            ignored=self._unheeded(),
        )


def find(name: Any) -> SolverParameter:
    """The parameter of that name, in any case; AttributeError where there is none."""
    parameter = BY_LOWER.get(str(name).lower())
    if parameter is None:
        raise AttributeError(f"Invalid parameter name '{name}'")
    return parameter


class ParamSetting:
    """`Model.Param`: the parameters as attributes."""

    __slots__ = ("_model",)
    _model: Any

    def __init__(self, model: Any) -> None:
        object.__setattr__(self, "_model", model)

    def __getattr__(self, name: str) -> Any:
        return self._model.getParam(name)

    def __setattr__(self, name: str, value: Any) -> None:
        self._model.setParam(name, value)

    def __repr__(self) -> str:
        return "<coptpy.ParamSetting>"


class CoptNames(ElementNames):
    """Names in order; one that was not given is empty to the program and numbered for solvers."""

    __slots__ = ()
    brackets, finds_bare = ("(", ")"), False


@dataclass(slots=True)
class Aim(Goal):
    """One of several objectives, which has a sense of its own."""

    sense: int = 0


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


class Starts:
    """Start values, in the form that the store's problem is made from."""

    def __init__(self) -> None:
        self.pairs: list[tuple[Any, float]] = []

    def items(self) -> list[tuple[Any, float]]:
        """Pairs of variable and value, later ones counting."""
        return self.pairs


@dataclass(slots=True)
class Callbacks:
    """The program's callback and the contexts that it wants to be called in."""

    callback: Any = None
    context: int = 0
    lazy: list[TemporaryConstraint] = field(default_factory=list)


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

    `iis` has, after `computeIIS`, the sides of its rows and columns as sets of numbers.
    """

    unsupported = staticmethod(unsupported)

    def __init__(self, name: str, params: Values) -> None:
        super().__init__(name)
        self.params = params
        self.col_names: CoptNames = CoptNames("C")
        self.row_names: CoptNames = CoptNames("R")
        self.outcome = SolveOutcome()
        self.iis: dict[str, set[int]] | None = None
        self.iis_minimal = True
        self.aims: dict[int, Aim] = {}
        self.formula: Any = None
        self.proposed = Starts()
        self.calling: Any = None
        self.hooks = Callbacks()
        self.relaxed: dict[str, Any] | None = None
        self.log_file = ""
        self.closed_factor: list[float] | None = None
        self.extra["Start"] = self.proposed  # type: ignore[assignment]

    def copied_handle(self, handle: Any, part: StoredConstraint) -> None:
        """Make the handle of a part that comes from another model."""
        type(handle)(self, part)

    def label(self, col: int) -> str:
        """A column's name for texts."""
        return "" if col < 0 else self.col_names.given(col)

    def update(self) -> bool:
        """Make what awaits happen; the last solve's result stays."""
        return super().update()

    def check(self, variables: Iterable[Any]) -> None:
        """Raise COPT's error where a variable is another model's, or was removed."""
        for var in variables:
            if var._store is not self or var._col < 0:
                raise invalid("Invalid col index")

    def values(self) -> list[float] | None:
        """The solution by column, None where there is none or columns were added or removed."""
        if self.outcome.cols != len(self.columns):
            return None
        return self.x

    def sides(self, row: int) -> tuple[float, float]:
        """Lower and upper side of a row, in COPT's infinity."""
        sense, rhs = chr(self.senses[row]), cut(self.rhs[row])
        if sense == "R":
            return cut(self.lows[self.rows[row]]), rhs
        lower = -INFINITY if sense == "<" else rhs
        return lower, (INFINITY if sense == ">" else rhs)

    def set_sides(self, row: int, lower: float, upper: float) -> None:
        """Give a row other sides."""
        low, high = lower > -LARGE, upper < LARGE
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
        text = "".join(f"{line}\n" for line in texts)
        if self.params["LogToConsole"]:
            say(text)
        if self.log_file:
            try:
                with Path(self.log_file).open("a", encoding="utf-8") as file:
                    file.write(text)
            except OSError:
                return

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
