"""Models built with other libraries, as problems: each by its library's own interface.

`languages` walks through modelling libraries' objects, `solvers` through those of solvers' own
libraries; both write into a `sketch`, of which the problem is made.
"""

from collections.abc import Callable, Mapping
from typing import Any

from ordojo.core.errors import DataError
from ordojo.milp.objects import languages, solvers
from ordojo.milp.problem import Problem

LIBRARIES: Mapping[str, tuple[str, Callable[[Any], Problem]]] = {
    "gurobipy": ("Model", solvers.read_gurobipy),
    "highspy": ("Highs", solvers.read_highspy),
    "pyomo": ("ConcreteModel", languages.read_pyomo),
    "pulp": ("LpProblem", languages.read_pulp),
    "linopy": ("Model", languages.read_linopy),
    "mip": ("Model", languages.read_mip),
    "pyscipopt": ("Model", solvers.read_pyscipopt),
    "ortools": ("Solver Model CpModel", solvers.read_ortools),
    "cvxpy": ("Problem", languages.read_cvxpy),
}
"""Library: its classes of models, and what reads one."""


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
    _, read = LIBRARIES[library]
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
        if library in LIBRARIES and kind.__name__ in LIBRARIES[library][0].split():
            return library
    return ""
