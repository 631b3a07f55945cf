"""What a gurobipy model forgets, and what of several solutions and starts its files have.

Each answer is real Gurobi's: the same program was run by both.
"""

from pathlib import Path
from typing import Any

import pytest

import ordojo.compat.gurobipy as gp
from ordojo.compat.gurobipy import GRB


def model() -> tuple[Any, Any, Any, Any]:
    m = gp.Model()
    m.Params.OutputFlag = 0
    x, y = m.addVar(ub=4, name="x"), m.addVar(name="y")
    row = m.addConstr(x + y <= 3, "r")
    m.update()
    return m, x, y, row


def set_basis(m: Any, x: Any, y: Any, row: Any) -> None:
    x.VBasis = y.VBasis = GRB.NONBASIC_LOWER
    row.CBasis = GRB.BASIC
    m.update()


def test_a_basis_is_there_where_all_of_it_was_set() -> None:
    m, x, y, row = model()
    x.VBasis = GRB.NONBASIC_LOWER
    m.update()
    with pytest.raises(AttributeError, match="Unable to retrieve attribute 'VBasis'"):
        _ = x.VBasis
    set_basis(m, x, y, row)
    assert (x.VBasis, row.CBasis) == (-1, 0)
    x.VBasis = 7
    m.update()
    with pytest.raises(AttributeError, match="Unable to retrieve"):
        _ = x.VBasis


@pytest.mark.parametrize("change", ["bound", "column", "reset"])
def test_a_changed_model_has_no_basis(change: str) -> None:
    m, x, y, row = model()
    set_basis(m, x, y, row)
    if change == "bound":
        x.UB = 2
        m.update()
    elif change == "column":
        m.addVar()
        m.update()
    else:
        m.optimize()
        m.reset()
    with pytest.raises(AttributeError, match="Unable to retrieve"):
        _ = x.VBasis


def test_a_start_is_written_before_there_is_a_solution(tmp_path: Path) -> None:
    m, x, _, _ = model()
    file = tmp_path / "a.mst"
    with pytest.raises(gp.GurobiError, match="No MIP starts available"):
        m.write(str(file))
    x.Start = 3
    m.update()
    m.write(str(file))
    assert file.read_text() == "# MIP start\nx 3\n"


def test_a_number_that_is_none_is_refused() -> None:
    m, x, y, _ = model()
    with pytest.raises(AttributeError, match="Element 0 of a double array is Nan"):
        x.UB = float("nan")
    with pytest.raises(TypeError, match="an integer is required"):
        m.setObjectiveN(x, 1, priority="a")
    with pytest.raises(TypeError, match=r"addGenConstrExpA\(\) takes at least 4 .* \(3 given\)"):
        m.addGenConstrExpA(x, y)


def test_any_number_is_a_sense() -> None:
    m = model()[0]
    for given, read in ((5, 1), (0, -1), (-7, -1), (2, 1)):
        m.ModelSense = given
        m.update()
        assert m.ModelSense == read


def test_a_file_has_the_solution_that_is_asked_for(tmp_path: Path) -> None:
    m = gp.Model()
    m.Params.OutputFlag = 0
    x = m.addVars(3, vtype="B", name="x")
    m.setObjective(x[0] + 2 * x[1] + 4 * x[2], GRB.MAXIMIZE)
    m.addConstr(x.sum() <= 2)
    m.Params.PoolSearchMode = 2
    m.optimize()
    file = tmp_path / "q.sol"
    m.Params.SolutionNumber = 2
    m.write(str(file))
    assert "# Objective value = 4\n" in file.read_text() and "x[2] 1\n" in file.read_text()
