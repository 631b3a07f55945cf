"""What a solve prints, short, in the lines that readers of COPT's log look for."""

import sys
from pathlib import Path
from typing import Any

from ordojo.compat.coptpy.constants import COPT
from ordojo.solvers.problem import Problem, Result

_ENDS = {
    COPT.OPTIMAL: "Optimal",
    COPT.INFEASIBLE: "Infeasible",
    COPT.UNBOUNDED: "Unbounded",
    COPT.INF_OR_UNB: "Infeasible or unbounded",
    COPT.TIMEOUT: "Timeout",
    COPT.NODELIMIT: "Node limit",
    COPT.INTERRUPTED: "Interrupted",
}


def line(state: Any, text: str = "") -> None:
    """Print one line, and write it to the log file, unless logging is off."""
    if not state.params["Logging"]:
        return
    if state.params["LogToConsole"]:
        sys.stdout.write(text + "\n")
    if state.log_file:
        try:
            with Path(state.log_file).open("a", encoding="utf-8") as file:
                file.write(text + "\n")
        except OSError:
            return


def before(state: Any, problem: Problem, mixed: bool) -> None:
    """The model's size."""
    model = problem.model
    line(state, "ordojo solves a coptpy model")
    kind = "a MIP" if mixed else "an LP"
    line(state, f"{'Max' if model.maximize else 'Min'}imizing {kind} problem")
    line(state)
    line(state, "The original problem has:")
    line(state, f"    {model.m} rows, {model.n} columns and {model.nonzeros} non-zero elements")
    line(state)


def after(state: Any, result: Result, mixed: bool) -> None:
    """How the solve ended."""
    status = state.outcome.status
    if not mixed:
        value = f"{result.objective:.10e}" if status == COPT.OPTIMAL else "-"
        line(state, "Solving finished")
        line(
            state,
            f"Status: {_ENDS.get(status, 'Unfinished')}  Objective: {value}  "
            f"Iterations: {result.iterations}  Time: {result.seconds:.2f}s",
        )
        return
    line(state, f"Best solution   : {_number(result.objective)}")
    line(state, f"Best bound      : {_number(result.bound)}")
    line(state, f"Best gap        : {100 * gap(result):.4f}%")
    line(state, f"Solve time      : {result.seconds:.2f}")
    line(state, f"Solve node      : {result.nodes}")
    line(state, f"MIP status      : {'solved' if status == COPT.OPTIMAL else 'stopped'}")
    limit = f"integer optimal (relative gap limit {state.params['RelGap']:g})"
    text = limit if status == COPT.OPTIMAL else _ENDS.get(status, "unfinished").lower()
    line(state, f"Solution status : {text}")


def gap(result: Result) -> float:
    """The relative gap between incumbent and bound, 0 where one of them is missing."""
    if result.objective is None or result.bound is None:
        return 0.0
    distance = abs(result.objective - result.bound)
    largest = max(abs(result.objective), abs(result.bound))
    return float(distance / largest) if largest else 0.0


def _number(value: float | None) -> str:
    return "-" if value is None or abs(value) >= COPT.INFINITY else f"{value:.9f}"
