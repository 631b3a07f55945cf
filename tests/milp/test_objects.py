"""Models of other libraries: the same model comes out of each, under its own names."""

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ordojo.core.errors import DataError
from ordojo.milp.model import Model
from ordojo.milp.objects import model_of_object


def gurobipy() -> Any:
    gp = pytest.importorskip("gurobipy")
    m = gp.Model("toy", env=gp.Env(params={"OutputFlag": 0}))
    x, y = m.addVar(ub=4, name="x"), m.addVar(vtype="B", name="y")
    m.addConstr(x + y >= 6, name="need")
    m.setObjective(3 * x + y, gp.GRB.MAXIMIZE)
    return m


def highspy() -> Any:
    h = __import__("highspy").Highs()
    h.setOptionValue("output_flag", False)
    x, y = h.addVariable(lb=0, ub=4, name="x"), h.addBinary(name="y")
    h.addConstr(x + y >= 6, name="need")
    h.maximize(3 * x + y)
    return h


def pyomo() -> Any:
    po = pytest.importorskip("pyomo.environ")
    m = po.ConcreteModel()
    m.x, m.y = po.Var(bounds=(0, 4)), po.Var(domain=po.Binary)
    m.value = po.Objective(expr=3 * m.x + m.y, sense=po.maximize)
    m.need = po.Constraint(expr=m.x + m.y >= 6)
    return m


def pulp() -> Any:
    pulp = pytest.importorskip("pulp")
    m = pulp.LpProblem("toy", pulp.LpMaximize)
    x, y = pulp.LpVariable("x", 0, 4), pulp.LpVariable("y", cat="Binary")
    m += 3 * x + y
    m += x + y >= 6, "need"
    return m


def linopy() -> Any:
    linopy = pytest.importorskip("linopy")
    m = linopy.Model()
    x, y = m.add_variables(lower=0, upper=4, name="x"), m.add_variables(binary=True, name="y")
    m.add_constraints(x + y >= 6, name="need")
    m.add_objective(3 * x + y, sense="max")
    return m


@pytest.mark.parametrize("make", [gurobipy, highspy, pyomo, pulp, linopy])
@pytest.mark.filterwarnings("ignore")
def test_the_same_model_with_its_names(make: Callable[[], Any]) -> None:
    _is_toy(model_of_object(make()))


def _is_toy(model: Model) -> None:
    assert model.maximize and model.row_names == ("need",)
    order = [model.col_names.index(name) for name in ("x", "y")]
    assert model.objective[order].tolist() == [3.0, 1.0]
    assert model.col_upper[order].tolist() == [4.0, 1.0]
    assert (model.row_lower.tolist(), model.row_upper.tolist()) == ([6.0], [np.inf])
    assert model.is_mip


def test_cvxpy_in_its_standard_form() -> None:
    cp = pytest.importorskip("cvxpy")
    x, y = cp.Variable(2, name="x"), cp.Variable(name="y", boolean=True)
    goal = cp.Maximize(3 * x[0] + 2 * x[1] + y + 7)
    model = model_of_object(cp.Problem(goal, [x[0] + x[1] <= 4, x >= 0, x[0] - y == 1]))
    assert (model.maximize, model.offset) == (True, 7.0)
    assert model.col_names == ("x[0]", "x[1]", "y") and model.objective.tolist() == [3, 2, 1]
    assert (model.m, model.row_lower[0], model.row_upper[0]) == (4, 1.0, 1.0)
    with pytest.raises(DataError, match="not linear"):
        model_of_object(cp.Problem(cp.Minimize(cp.sum_squares(x))))


def test_ortools_in_a_process_without_highspy() -> None:
    """Their native libraries do not live in one process: that is said in a sentence."""
    pytest.importorskip("ortools.init", exc_type=ImportError)
    code = (
        "from ortools.linear_solver import pywraplp\n"
        "s = pywraplp.Solver.CreateSolver('SCIP'); x = s.NumVar(0, 4, 'x'); s.Add(x >= 5)\n"
        "import ordojo\n"
        "try:\n    ordojo.read_model(s)\n"
        "except ordojo.OrdojoError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "OR-Tools" in done.stdout and "Traceback" not in done.stderr, done.stderr[-800:]


def test_what_is_no_model() -> None:
    class Model:
        pass

    for thing in (Model(), 3, None):
        with pytest.raises(DataError, match="is no model; give a path"):
            model_of_object(thing)
