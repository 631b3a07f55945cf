"""Models from files, programs and objects of other libraries; no solver is loaded for it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from ordojo.compat.capture import as_linear, linear_model, model_of_program, problems_of_program
from ordojo.core.errors import DataError
from ordojo.core.files import reading
from ordojo.core.ranges import SECONDS, in_range
from ordojo.milp import files
from ordojo.milp.model import Model
from ordojo.milp.objects import problem_of_object
from ordojo.milp.problem import Problem, beyond_linear
from ordojo.solvers.reformulation import NotLinear


@in_range(time_limit=SECONDS)
def read_model(source: Any, *, isolation: str = "auto", time_limit: float = 60.0) -> Model:
    """The linear model of a path (.mps, .lp, these packed, .py), a `Model`, or another library's.

    Reading may take `time_limit` seconds. A .py file is run contained as long, and the last linear
    model that it solves is taken. Objects of gurobipy, highspy, Pyomo, PuLP, linopy, python-mip,
    PySCIPOpt, OR-Tools and cvxpy are taken as they stand. Raises DataError, in a sentence, for
    anything else.

    >>> model = read_model("bakery.lp")
    >>> model.row_names
    ('oven', 'orders')
    """
    if isinstance(source, Model):
        return source
    if isinstance(source, str | Path) and Path(source).suffix == ".py":
        return model_of_program(Path(source), isolation, time_limit)
    problem = read_problem(source, time_limit=time_limit)
    try:
        return linear_model(as_linear(problem))
    except NotLinear as error:
        name = source if isinstance(source, str | Path) else "the model"
        raise DataError(
            f"{name} has {beyond_linear(problem)}, not linear where {error} is; write it as a "
            "linear model"
        ) from None


@in_range(time_limit=SECONDS)
def read_problem(source: Any, *, isolation: str = "auto", time_limit: float = 60.0) -> Problem:
    """As `read_model`, with indicators, ordered sets, products and functions as they stand.

    Of a .py file the last problem that it solves, linear or not.
    """
    if isinstance(source, Problem):
        return source
    if isinstance(source, Model):
        return Problem(source)
    if not isinstance(source, str | Path):
        problem = problem_of_object(source)
        named = replace(problem.model, name=problem.model.name or "model")
        return replace(problem, model=named)
    path = Path(source)
    if path.suffix == ".py":
        return problems_of_program(path, isolation, time_limit)[0]
    with reading(time_limit):
        return files.read_problem(path)
