"""Models from files, programs and objects of other libraries; no solver is loaded for it."""

from dataclasses import replace
from pathlib import Path

from ordojo.api.kinds import AnyModel, Isolation, Seconds
from ordojo.compat.capture import as_linear, linear_model, model_of_program, problems_of_program
from ordojo.core.errors import DataError
from ordojo.core.files import reading
from ordojo.core.signatures import checked
from ordojo.milp import files
from ordojo.milp.model import Model
from ordojo.milp.objects import problem_of_object
from ordojo.milp.problem import Problem, beyond_linear
from ordojo.solvers.reformulation import NotLinear


@checked
def read_model(
    model: AnyModel, *, isolation: Isolation = "auto", time_limit: Seconds = 60.0
) -> Model:
    """Read a linear model.

    Args:
        model: A path (.mps, .lp, these with .gz, .bz2 or .xz; .py), a `Model` or `Problem`, or an
            object of gurobipy, highspy, Pyomo, PuLP, linopy, python-mip, PySCIPOpt, OR-Tools or
            cvxpy, taken as it stands. A .py program is run contained, and the model that it solves
            last is taken.
        isolation: How a .py model is contained.
        time_limit: Seconds for reading, or for the program.

    Returns:
        The model, which is not changed by what is done with it.

    Raises:
        UsageError: For an argument out of its range.
        DataError: For what is none, cannot be read, or is not linear.
        SandboxError: Where programs cannot be contained.

    Examples:
        >>> model = read_model("bakery.lp")
        >>> model.row_names
        ('oven', 'orders')
    """
    if isinstance(model, Model):
        return model
    if isinstance(model, str | Path) and Path(model).suffix == ".py":
        return model_of_program(Path(model), isolation, time_limit)
    problem = read_problem(model, time_limit=time_limit)
    try:
        return linear_model(as_linear(problem))
    except NotLinear as error:
        name = model if isinstance(model, str | Path) else "the model"
        raise DataError(
            f"{name} has {beyond_linear(problem)}, not linear where {error} is; write it as a "
            "linear model"
        ) from None


@checked
def read_problem(
    model: AnyModel, *, isolation: Isolation = "auto", time_limit: Seconds = 60.0
) -> Problem:
    """Read a model with indicators, ordered sets, products and functions as they stand.

    Args:
        model: What `read_model` takes; of a .py program the last problem that it solves.
        isolation: How a .py model is contained.
        time_limit: Seconds for reading, or for the program.

    Returns:
        The problem: its linear part, and what is beside it.

    Raises:
        UsageError: For an argument out of its range.
        DataError: For what is none or cannot be read.
        SandboxError: Where programs cannot be contained.

    Examples:
        >>> read_problem("bakery.lp").model.n
        2
    """
    if isinstance(model, Problem):
        return model
    if isinstance(model, Model):
        return Problem(model)
    if not isinstance(model, str | Path):
        problem = problem_of_object(model)
        named = replace(problem.model, name=problem.model.name or "model")
        return replace(problem, model=named)
    path = Path(model)
    if path.suffix == ".py":
        return problems_of_program(path, isolation, time_limit)[0]
    with reading(time_limit):
        return files.read_problem(path)
