"""What a solve prints, short, in the lines that readers of Gurobi's log look for."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ordojo.compat.gurobipy.constants import GRB
from ordojo.compat.problem import Problem, Result

if TYPE_CHECKING:
    from ordojo.compat.gurobipy.params import Values

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
    GRB.USER_OBJ_LIMIT: "User objective limit reached",
}
_LP_ENDS = {
    GRB.INFEASIBLE: "Infeasible model",
    GRB.INF_OR_UNBD: "Infeasible or unbounded model",
    GRB.UNBOUNDED: "Unbounded model",
}


class Log:
    """Writes lines to stdout and the log file, as OutputFlag, LogToConsole and LogFile say."""

    def __init__(self, values: "Values") -> None:
        self._values = values
        self.quiet = False

    def open(self, name: str) -> None:
        """Make the log file, where one is named."""
        if name:
            try:
                Path(name).open("a", encoding="utf-8").close()
            except OSError:
                self.line(f"Warning: unable to open log file '{name}'")

    def line(self, text: str = "") -> None:
        """Print one line."""
        values = self._values
        if self.quiet or not values["OutputFlag"]:
            return
        if values["LogToConsole"]:
            sys.stdout.write(text + "\n")
        if values["LogFile"]:
            try:
                with Path(values["LogFile"]).open("a", encoding="utf-8") as file:
                    file.write(text + "\n")
            except OSError:
                return

    def before(self, problem: Problem) -> None:
        """The model's size."""
        model = problem.model
        self.line("ordojo solves a gurobipy model")
        sense = "Max" if model.maximize else "Min"
        self.line(
            f"Optimize a model with {model.m} rows, {model.n} columns "
            f"and {model.nonzeros} nonzeros ({sense})"
        )
        counts = {
            "quadratic constraints": len(problem.quadratic_rows),
            "SOS constraints": len(problem.sos),
            "general constraints": len(problem.general) + len(problem.indicators),
            "objectives": len(problem.objectives),
        }
        for what, count in counts.items():
            if count:
                self.line(f"Model has {count} {what}")
        whole = int((model.types != 0).sum())
        if whole:
            binary = int((model.types == 2).sum())
            self.line(
                f"Variable types: {model.n - whole} continuous, {whole} integer ({binary} binary)"
            )
        self.line()

    def after(self, result: Result, status: int, is_mip: bool, gap: float, solutions: int) -> None:
        """How the solve ended."""
        end = _ENDS.get(status, "")
        if not is_mip:
            self.line(f"Solved in {result.iterations} iterations and {result.seconds:.2f} seconds")
            if status == GRB.OPTIMAL and result.objective is not None:
                self.line(f"Optimal objective  {result.objective:.9e}")
            else:
                self.line(_LP_ENDS.get(status, end))
            self.line()
            return
        self.line(
            f"Explored {result.nodes} nodes ({result.iterations} simplex iterations) "
            f"in {result.seconds:.2f} seconds"
        )
        self.line()
        first = f": {result.objective:g}" if solutions and result.objective is not None else ""
        self.line(f"Solution count {solutions}{first}")
        self.line()
        if status == GRB.OPTIMAL:
            self.line(f"Optimal solution found (tolerance {self._values['MIPGap']:.2e})")
        else:
            self.line(end)
        best, bound = _number(result.objective), _number(result.bound)
        shown = "-" if best == "-" or bound == "-" or gap == float("inf") else f"{100 * gap:.4f}%"
        self.line(f"Best objective {best}, best bound {bound}, gap {shown}")
        self.line()


def _number(value: Any) -> str:
    return "-" if value is None or abs(value) >= 1e100 else f"{value:.12e}"
