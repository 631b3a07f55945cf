"""Model files as problems, and as linear models where they are."""

import logging
from pathlib import Path

from ordojo.core.errors import DataError
from ordojo.milp.files.lp import read_lp
from ordojo.milp.files.mps import read_mps
from ordojo.milp.files.sections import problem_of
from ordojo.milp.files.text import is_lp
from ordojo.milp.model import Model, check
from ordojo.milp.problem import Problem, beyond_linear

MAX_NONZEROS = 50_000_000
_BYTES = 64
"""The text of one coefficient is shorter than this."""


def read_problem(path: Path | str, max_nonzeros: int = MAX_NONZEROS) -> Problem:
    """Read .mps or .lp, perhaps with .gz, .bz2 or .xz: names kept, nothing left out or repaired.

    Integer columns within [0, 1] are BINARY. `notes` of the problem say what the file left to its
    reader. Raises DataError, in a sentence with line and column, for anything that is not a whole
    model.
    """
    path = Path(path)
    largest = _BYTES * max_nonzeros
    problem = read_lp(path, largest) if is_lp(path) else problem_of(path, read_mps(path, largest))
    model = problem.model
    if not model.n:
        raise DataError(f"{path.name} is not a model: it has no column; give an MPS or LP file")
    if model.nonzeros > max_nonzeros:
        raise DataError(
            f"{path.name} has {model.nonzeros} nonzeros; allow more than {max_nonzeros}"
        )
    try:
        check(model)
    except DataError as error:
        raise DataError(f"{path.name}: {error}") from None
    return problem


def read_model(path: Path | str, max_nonzeros: int = MAX_NONZEROS) -> Model:
    """As `read_problem`, of a linear model; DataError, too, where the file has more."""
    problem = read_problem(path, max_nonzeros)
    if beyond := beyond_linear(problem):
        raise DataError(f"{Path(path).name} has {beyond}; write it as a linear model")
    return linear(problem)


def linear(problem: Problem) -> Model:
    """The linear rows of a problem; what its file left to its reader is logged as a warning."""
    for note in problem.notes:
        logging.getLogger("ordojo").warning("%s: %s", problem.model.name, note)
    return problem.model
