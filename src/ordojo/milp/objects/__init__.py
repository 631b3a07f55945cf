"""Models built with other libraries, as problems: each by its library's own interface."""

from collections.abc import Callable
from typing import Any

from ordojo.core.errors import DataError
from ordojo.milp.objects import languages, solvers
from ordojo.milp.problem import Problem

LIBRARIES = {
    "gurobipy": "Model",
    "highspy": "Highs",
    "pyomo": "ConcreteModel",
    "pulp": "LpProblem",
    "linopy": "Model",
    "mip": "Model",
    "pyscipopt": "Model",
    "ortools": "Solver Model CpModel",
    "cvxpy": "Problem",
}
"""Library: its classes of models; `read_LIBRARY` reads one."""


def problem_of_object(model: Any) -> Problem:
    """What an object of another library holds, under its own names; the object stays as it is.

    gurobipy, highspy, Pyomo, PuLP, linopy, python-mip, PySCIPOpt, OR-Tools (linear solver,
    ModelBuilder, CP-SAT) and cvxpy are known; a subclass counts as its class. Names that occur
    again are told apart by a number behind. No solver is loaded for it. DataError where the
    object is of no known class, or has what a problem cannot hold.
    """
    library = library_of(model)
    if not library:
        raise DataError(
            f"a {type(model).__module__}.{type(model).__qualname__} is no model; give a path, "
            f"an ordojo Model, or a model of {', '.join(LIBRARIES)}"
        )
    home = solvers if hasattr(solvers, f"read_{library}") else languages
    read: Callable[[Any], Problem] = getattr(home, f"read_{library}")
    try:
        return read(model)
    except DataError:
        raise
    except Exception as error:  # whatever the library says of its own object
        raise DataError(f"{library} does not tell its model: {error}") from None


def library_of(model: Any) -> str:
    """The library whose model an object is, "" where it is none's."""
    for kind in type(model).__mro__:
        library = kind.__module__.partition(".")[0]
        if kind.__name__ in LIBRARIES.get(library, "").split():
            return library
    return ""
