"""Model methods that write and read files: models, solutions, parameters, logs."""

import dataclasses
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from ordojo.compat.coptpy.constants import failed_file, invalid, unsupported
from ordojo.compat.core.assemble import problem_of
from ordojo.compat.core.parameters import opened, read_pairs
from ordojo.compat.core.subsystem import members_in, only
from ordojo.core.errors import DataError
from ordojo.milp.files import read_problem
from ordojo.milp.model import INF
from ordojo.milp.problem import Problem, Settings
from ordojo.milp.writers import lp_lines, mps_lines


def _whole(state: Any) -> Problem:
    state.update()
    if state.formulas or state.formula or state.goals:
        raise unsupported(
            "writing formulas and several objectives", "keep the program that builds the model"
        )
    return problem_of(state, Settings())


def _put(filename: str, lines: Iterable[str], what: str) -> None:
    try:
        Path(filename).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    except OSError:
        raise failed_file(f"Fail to write to {what} file") from None


def writeLp(model: Any, filename: str) -> None:
    """Write the model as an LP file."""
    _put(filename, lp_lines(_one_sided(_whole(model._state))), "LP")


def _one_sided(problem: Problem) -> Problem:
    """The problem with a row for each side of a range, which LP files lack."""
    model = problem.model
    two = np.isfinite(model.row_lower) & np.isfinite(model.row_upper)
    for i in np.flatnonzero(two & (model.row_lower != model.row_upper)).tolist():
        index, value = model.row(i)
        low, name = float(model.row_lower[i]), f"{model.row_names[i]}_low"
        model = model.with_row_bounds(i, -INF, float(model.row_upper[i]))
        model = model.with_new_row(name, index.tolist(), value.tolist(), low, INF)
    return dataclasses.replace(problem, model=model)


def writeMps(model: Any, filename: str) -> None:
    """Write the model as an MPS file."""
    _put(filename, mps_lines(_whole(model._state)), "MPS")


def writeSol(model: Any, filename: str) -> None:
    """Write the solution."""
    state = model._state
    if state.values() is None:
        raise invalid("Fail to write solution file")
    lines = [f"# Objective value {state.outcome.objective:.10g}"]
    pairs = zip(state.col_names.all(), state.x, strict=False)
    lines += [f"{name} {value:.17g}" for name, value in pairs]
    _put(filename, lines, "solution")


writeMst = writeSol


def writeParam(model: Any, filename: str) -> None:
    """Write the changed parameters."""
    changed = model._state.params.changed
    _put(filename, [f"{name} {value}" for name, value in changed.items()], "parameter")


def writeIIS(model: Any, filename: str) -> None:
    """Write the rows, bounds and parts of the infeasible subsystem as an LP file."""
    state = model._state
    if state.iis is None:
        raise invalid("Fail to write IIS file")
    _put(filename, lp_lines(_one_sided(only(_whole(state), members_in(state, state.iis)))), "IIS")


def readLp(model: Any, filename: str) -> None:
    """Read the model of an LP file."""
    _model(model, filename, "LP")


def readMps(model: Any, filename: str) -> None:
    """Read the model of an MPS file."""
    _model(model, filename, "MPS")


def _model(model: Any, filename: str, kind: str) -> None:
    path = Path(filename)
    if not path.exists():
        raise failed_file(f"Failed to read {kind} file")
    model._state.lines(f"Reading from '{filename}'")
    try:
        problem = read_problem(path)
    except DataError as error:
        raise failed_file(f"Failed to read {kind} file: {error}") from None
    model.clear()
    model._take(problem)
    model._state.lines("Reading finished")


def readMst(model: Any, filename: str) -> None:
    """Read start values."""
    from ordojo.solvers.asked.solutions import read_solution  # few programs read one

    state = model._state
    try:
        values, _ = read_solution(filename)
    except DataError as error:
        raise failed_file(f"Failed to read MIP start file: {error}") from None
    for name, value in values.items():
        place = state.col_names.find(name)
        if place is not None:
            state.proposed.append((state.columns[place], value))


readSol = readMst


def readParam(model: Any, filename: str) -> None:
    """Read parameters."""
    for name, value in read_pairs(filename, failed_file("Failed to read parameter file")):
        model.setParam(name, value)


def setLogFile(model: Any, logfile: str) -> None:
    """Write what is printed to a file as well."""
    model._state.log_file = str(logfile)
    if not opened(str(logfile)):
        raise failed_file("Fail to set log file")


_WRITERS = {".lp": writeLp, ".mps": writeMps, ".sol": writeSol, ".mst": writeSol}
_WRITERS |= {".par": writeParam, ".iis": writeIIS}
_READERS = {".lp": readLp, ".mps": readMps, ".sol": readMst, ".mst": readMst, ".par": readParam}


def write(model: Any, filename: str) -> None:
    """Write the model or its solution, by the name's ending."""
    ending = Path(filename).suffix
    if ending not in _WRITERS:
        instead = "write .lp or .mps for the model, .sol or .mst for a point"
        raise unsupported(f"writing {ending or 'nameless'} files", instead)
    _WRITERS[ending](model, filename)


def read(model: Any, filename: str) -> None:
    """Read a model, start values or parameters, by the name's ending."""
    ending = Path(filename).suffix
    if ending not in _READERS:
        instead = "read .lp, .mps, .sol, .mst or .par"
        raise unsupported(f"reading {ending or 'nameless'} files", instead)
    _READERS[ending](model, filename)
