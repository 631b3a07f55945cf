"""The programs, run: each gives what HiGHS says of the model itself."""

import contextlib
import io

import highspy
import pytest

from ordojo.milp.model import Model
from ordojo.milp.source import (
    gurobipy_column,
    gurobipy_row,
    gurobipy_source,
)
from tests.milp.toys import bakery, some_model


def same(value: float | None, objective: float | None) -> bool:
    """Equal to the solvers' gap, or both absent."""
    if value is None or objective is None:
        return value is objective
    return value == pytest.approx(objective, rel=2e-4, abs=1e-6)


NAMES = ("m", "model", "gp", "x", "x[1]", "v", "print", "for", "_a", "highspy", "pyo", 'q"\\')


def truth(model: Model) -> tuple[str, float | None]:
    """Status and objective from the arrays, not from any program."""
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    lp = highspy.HighsLp()
    lower, upper = model.effective_bounds
    lp.num_col_, lp.num_row_ = model.n, model.m
    lp.sense_ = highspy.ObjSense.kMaximize if model.maximize else highspy.ObjSense.kMinimize
    lp.col_cost_, lp.col_lower_, lp.col_upper_ = model.objective, lower, upper
    lp.row_lower_, lp.row_upper_, lp.offset_ = model.row_lower, model.row_upper, model.offset
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_, lp.a_matrix_.index_ = model.starts, model.index
    lp.a_matrix_.value_ = model.value
    kinds = highspy.HighsVarType
    lp.integrality_ = [kinds.kInteger if kind else kinds.kContinuous for kind in model.types]
    solver.passModel(lp)
    solver.run()
    status = solver.modelStatusToString(solver.getModelStatus())
    return status, solver.getObjectiveValue() if status == "Optimal" else None


def printed(program: str) -> tuple[str, float | None]:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(program, "program", "exec"), {})
    lines = [line.split(" ", 1) for line in out.getvalue().splitlines()]
    found = dict(line for line in lines if line[0] in ("status", "objective"))
    return found["status"], float(found["objective"]) if "objective" in found else None


MODELS = [bakery(), bakery().with_row_bounds(3, 900.0, 900.0), bakery().with_row_bounds(1, 5, 3)]
MODELS += [bakery().with_row(0, [], [], 1.0, 2.0), bakery().with_row(0, [], [], -1.0, 2.0)]
MODELS += [some_model(index) for index in range(8)] + [some_model(20, NAMES)]
MODELS += [some_model(index).with_row_bounds(0, -1e7, 1e7) for index in range(20, 24)]


def test_the_models_are_of_all_kinds() -> None:
    found = [truth(model)[0] for model in MODELS]
    assert found.count("Optimal") >= 8
    assert found.count("Infeasible") >= 3


@pytest.mark.parametrize("model", MODELS)
def test_gurobipy(model: Model) -> None:
    gurobipy = pytest.importorskip("gurobipy")
    gurobipy.setParam("OutputFlag", 0)
    status, objective = truth(model)
    found, value = printed(gurobipy_source(model))
    assert found in {"Optimal": ("2",), "Infeasible": ("3", "4"), "Unbounded": ("4", "5")}[status]
    assert same(value, objective)


def test_one_line_a_row() -> None:
    model = bakery()
    assert gurobipy_row(model, 0) == (
        'm.addConstr(2*bread + 3.25*x[1] - v["odd name"] <= 60, name="oven")'
    )
    assert gurobipy_row(model, 1) == 'm.addConstr(bread + x["a", 2] == [-3, 12], name="shelf[1]")'
    assert gurobipy_row(model, 2) == '# dropped: "spare"'
    assert gurobipy_column(model, 1) == ('x[1] = m.addVar(ub=10, vtype=GRB.INTEGER, name="x[1]")')
    lines = gurobipy_source(model).splitlines()
    assert [gurobipy_column(model, j) for j in range(model.n)] == lines[
        -6 - model.m - 1 - model.n : -6 - model.m - 1
    ]
    assert [gurobipy_row(model, i) for i in range(model.m)] == lines[-6 - model.m : -6]
