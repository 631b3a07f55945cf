"""Gurobi's parameters, environments as sets of them, and the log that they govern."""

import fnmatch
import sys
import weakref
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ordojo.compat.core.handles import ByName
from ordojo.compat.core.model import Disposable
from ordojo.compat.core.parameters import (
    ParameterValues,
    SolverParameter,
    opened,
    read_pairs,
    spelled,
    write_log,
)
from ordojo.compat.gurobipy.constants import BY_LOWER, GRB, SHOWN
from ordojo.compat.gurobipy.errors import GurobiError, failure, invalid, named
from ordojo.compat.logs import say
from ordojo.solvers.answers import SolveResult
from ordojo.solvers.problem import Problem, Settings

_ENDS = {
    GRB.INFEASIBLE: "Model is infeasible",
    GRB.INF_OR_UNBD: "Model is infeasible or unbounded",
    GRB.UNBOUNDED: "Model is unbounded",
    GRB.CUTOFF: "Cutoff reached: no solution better than it",
    GRB.NODE_LIMIT: "Node limit reached",
    GRB.TIME_LIMIT: "Time limit reached",
    GRB.SOLUTION_LIMIT: "Solution limit reached",
    GRB.INTERRUPTED: "Solve interrupted",
    GRB.NUMERIC: "Numerical trouble encountered",
    GRB.WORK_LIMIT: "Work limit reached",
    GRB.USER_OBJ_LIMIT: "User objective limit reached",
}
_LP_ENDS = {
    GRB.INFEASIBLE: "Infeasible model",
    GRB.INF_OR_UNBD: "Infeasible or unbounded model",
    GRB.UNBOUNDED: "Unbounded model",
}


class Log:
    """Writes lines as the console's log and to the log file, as OutputFlag and others say.

    `hear` is called with each line of the log, whatever is written.
    """

    def __init__(self, values: "Values") -> None:
        self._values = values
        self.quiet = False
        self.hear: Callable[[str], None] | None = None

    def open(self, name: str) -> None:
        """Make the log file, where one is named."""
        if not opened(name):
            self.lines(f"Warning: unable to open log file '{name}'")

    def line(self, text: str) -> None:
        """Print what the program asked to see: output of its own."""
        self._write([text], sys.stdout.write)

    def lines(self, *texts: str) -> None:
        """Print lines of the log."""
        self._write(texts, say)
        if self.hear is not None:
            for text in texts:
                self.hear(f"{text}\n")

    def _write(self, texts: Sequence[str], console: Callable[[str], object]) -> None:
        values = self._values
        if self.quiet or not values["OutputFlag"]:
            return
        write_log(texts, console if values["LogToConsole"] else None, values["LogFile"])

    def before(self, problem: Problem) -> None:
        """The model's size."""
        model = problem.model
        sense = "Max" if model.maximize else "Min"
        lines = [
            "ordojo solves a gurobipy model",
            f"Optimize a model with {model.m} rows, {model.n} columns "
            f"and {model.nonzeros} nonzeros ({sense})",
        ]
        counts = {
            "quadratic constraints": len(problem.quadratic_rows),
            "SOS constraints": len(problem.sos),
            "general constraints": len(problem.general) + len(problem.indicators),
            "objectives": len(problem.objectives),
        }
        lines += [f"Model has {count} {what}" for what, count in counts.items() if count]
        whole = int((model.types != 0).sum())
        if whole:
            binary = int((model.types == 2).sum())
            lines.append(
                f"Variable types: {model.n - whole} continuous, {whole} integer ({binary} binary)"
            )
        self.lines(*lines, "")

    def after(
        self, result: SolveResult, status: int, is_mip: bool, gap: float, solutions: int
    ) -> None:
        """How the solve ended."""
        end = _ENDS.get(status, "")
        if not is_mip:
            end = _LP_ENDS.get(status, end)
            if status == GRB.OPTIMAL and result.objective is not None:
                end = f"Optimal objective  {result.objective:.9e}"
            took = f"Solved in {result.iterations} iterations and {result.seconds:.2f} seconds"
            self.lines(took, end, "")
            return
        first = f": {result.objective:g}" if solutions and result.objective is not None else ""
        if status == GRB.OPTIMAL:
            end = f"Optimal solution found (tolerance {self._values['MIPGap']:.2e})"
        best, bound = _number(result.objective), _number(result.bound)
        shown = "-" if best == "-" or bound == "-" or gap == float("inf") else f"{100 * gap:.4f}%"
        self.lines(
            f"Explored {result.nodes} nodes ({result.iterations} simplex iterations) "
            f"in {result.seconds:.2f} seconds",
            "",
            f"Solution count {solutions}{first}",
            "",
            end,
            f"Best objective {best}, best bound {bound}, gap {shown}",
            "",
        )


def _number(value: Any) -> str:
    return "-" if value is None or abs(value) >= 1e100 else f"{value:.12e}"


TOLD = spelled("""
    time_limit=TimeLimit mip_gap=MIPGap mip_gap_abs=MIPGapAbs feasibility_tol=FeasibilityTol
    integrality_tol=IntFeasTol node_limit=NodeLimit solution_limit=SolutionLimit cutoff=Cutoff
    best_obj_stop=BestObjStop pool_gap=PoolGap pool_gap_abs=PoolGapAbs
""")
_ELSE = """
    PoolSolutions PoolSearchMode Presolve LazyConstraints Seed OutputFlag LogToConsole LogFile
    ObjNumber SolutionNumber FeasRelaxBigM ResultFile UpdateMode
"""
HONOURED = frozenset([*TOLD.values(), *_ELSE.split()])
IGNORED: set[str] = set()
"""Names of the parameters that programs of this process have set without effect."""


class Values(ParameterValues):
    """The values of one environment or model, and its log."""

    by_lower, told, honoured, ignored = BY_LOWER, TOLD, HONOURED, IGNORED
    unknown = "No parameter named"

    def __init__(self, changed: dict[str, Any] | None = None) -> None:
        super().__init__(changed)
        self.log = Log(self)

    def set(self, name: Any, value: Any) -> None:
        """Set a parameter, by any case of its name; GurobiError or TypeError as Gurobi's."""
        parameter = matching(name)
        if isinstance(value, str) and value == "default" and parameter.kind is not str:
            value = parameter.default
        new = _converted(parameter, value)
        self._keep(parameter, new)
        if parameter.name == "LogFile":
            self.log.open(str(new))
        self.log.line(f"Set parameter {parameter.name} to value {_shown(value)}")

    def get(self, name: str) -> Any:
        """A parameter's value; AttributeError where there is none of that name."""
        return self[self.found(name).name]

    def info(self, name: str) -> tuple[Any, ...] | None:
        """Name, type, value, least, greatest and default value."""
        parameter = BY_LOWER.get(name.lower())
        if parameter is None:
            return None
        kind, value = parameter.kind, self[parameter.name]
        if kind is str:
            return (parameter.name, kind, value, "", "", parameter.default)
        low, high = kind(parameter.low), kind(parameter.high)
        return (parameter.name, kind, value, low, high, parameter.default)

    def settings(self) -> Settings:
        """What of the parameters the solver service is told."""
        told = self._told(
            pool_solutions=self["PoolSolutions"] if self["PoolSearchMode"] else 1,
            presolve=self["Presolve"] != 0,
            lazy=bool(self["LazyConstraints"]),
            seed=self["Seed"],
            pool_mode=self["PoolSearchMode"],
        )
        return told._replace(time_limit=0.0) if self["WorkLimit"] == 0.0 else told

    def text(self) -> str:
        """The changed parameters, as representations show them."""
        pairs = [f"{name}={self.changed[name]}" for name in SHOWN if name in self.changed]
        if not pairs:
            return "No parameter changes"
        return f"Parameter changes: {', '.join(pairs)}"


class ParamClass(ByName):
    """`Model.Params`: the parameters as attributes."""

    __slots__ = ("_model", "_values")

    def __init__(self, model: Any) -> None:
        self._model, self._values = weakref.ref(model), model._state.params

    def _read(self, name: str) -> Any:
        if self._is_gone():  # Gurobi reads nothing of a model that is gone
            raise AttributeError(f"No parameter named '{name}'")
        return self._values.get(name)

    def _write(self, name: str, value: Any) -> None:
        if self._is_gone():
            raise GurobiError(0, f"Unknown parameter '{name}'")
        self._values.set(name, value)

    def _is_gone(self) -> bool:
        return "_state" not in getattr(self._model(), "__dict__", ())

    def __repr__(self) -> str:
        return f"<gurobipy.ParamClass: {self._values.text()}>"


def matching(name: Any) -> SolverParameter:
    """The parameter of that name, in any case; GurobiError where it is unknown."""
    text = "".join(name).lower()
    parameter = BY_LOWER.get(text)
    if parameter is not None:
        return parameter
    found = [p for lower, p in BY_LOWER.items() if fnmatch.fnmatchcase(lower, text)]
    if len(found) == 1:
        return found[0]
    if found:
        raise GurobiError(0, f"Multiple matching parameters: {[p.name for p in found]}")
    raise GurobiError(0, f"Unknown parameter '{name}'")


def _converted(parameter: SolverParameter, value: Any) -> Any:
    if parameter.kind is str:
        return named(value)
    if isinstance(value, str) or value is None:
        kind = type(value).__name__
        whole = parameter.kind is int
        raise TypeError("an integer is required" if whole else f"must be real number, not {kind}")
    new = float(value) if parameter.kind is float else int(value)
    if new >= GRB.INFINITY:
        new = float("inf")
    if not (new < parameter.low or new > parameter.high):  # not a number is let through
        return new
    limit, word = (parameter.low, "min") if new < parameter.low else (parameter.high, "max")
    bound = f"{limit:g}" if parameter.kind is float else str(int(limit))
    text = f"Unable to set parameter {parameter.name} to value {value} ({word}imum is {bound})"
    raise failure("VALUE_OUT_OF_RANGE", text)


def _shown(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else f"{value:g}"


def values_in(owner: Any) -> Any:
    """The values of an environment, or of a model, whose underscored names are the program's."""
    return owner._values if isinstance(owner, Env) else owner._state.params


class ParameterMethods:
    """The methods of environments and models that set, read and write parameters."""

    def setParam(self, paramname: str, newvalue: Any) -> None:
        """Set a parameter: of this model, or for models made from now on."""
        values_in(self).set(paramname, newvalue)

    def resetParams(self) -> None:
        values_in(self).changed.clear()

    def readParams(self, filename: str) -> None:
        read_params(values_in(self), filename)

    def writeParams(self, filename: str) -> None:
        write_params(values_in(self), filename)


class Env(ParameterMethods, Disposable):
    """An environment; there is no licence to look for, so starting it always works."""

    def __init__(
        self, logfilename: Any = "", empty: bool = False, params: Mapping[str, Any] | None = None
    ) -> None:
        named(logfilename)
        self._values = Values()
        self._open = not empty
        self._values.log.quiet = True
        if logfilename:
            self._values.set("LogFile", logfilename)
        for name, value in (params or {}).items():
            self._values.set(name, value)
        self._values.log.quiet = False

    def start(self) -> "Env":
        self._open = True
        return self

    def getParam(self, paramname: str) -> Any:
        return self._values.get(paramname)

    def dispose(self) -> None:
        self._open = False

    close = dispose

    def __repr__(self) -> str:
        if not self._open:
            return "<gurobipy.Env, invalid or closed state>"
        return f"<gurobipy.Env, {self._values.text()}>"


Env.__module__ = "gurobipy"
default = Env()


setParam, resetParams = default.setParam, default.resetParams
readParams, writeParams = default.readParams, default.writeParams
disposeDefaultEnv = default.resetParams


def getParamInfo(paramname: str, env: Env | None = None) -> tuple[Any, ...] | None:
    """Name, type, value, least, greatest and default value of a parameter."""
    return (env or default)._values.info(paramname)


def paramHelp(paramname: str | None = None) -> None:
    """Print nothing: there is no manual behind."""


def values_of(env: Env | None) -> Values:
    """A new model's parameters."""
    if env is not None and not env._open:
        raise GurobiError(10002, "Environment has not been started")
    return Values((env or default)._values.changed)


def read_params(values: Values, filename: str) -> None:
    """Set what a .prm file says: a name and a value a line."""
    failed = invalid(f"Unable to open file '{filename}' for input")
    for name, value in read_pairs(filename, failed):
        kind = type(values.get(name))
        values.set(name, value.strip('"') if kind is str else kind(float(value)))


def write_params(values: Values, filename: str) -> None:
    """Write the changed parameters."""
    lines = [f"{name}  {value}\n" for name, value in values.changed.items()]
    try:
        Path(filename).write_text("# Parameter settings\n" + "".join(lines), encoding="utf-8")
    except OSError:
        raise failure("FILE_WRITE", f"Unable to write to file '{filename}'") from None
