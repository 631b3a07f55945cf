"""LP files beyond linear: written, read back, the same model; and what is none is refused."""

from pathlib import Path
from typing import Any

import pytest

import ordojo.compat.gurobipy as gp
from ordojo.compat.gurobipy import GRB


def _base() -> tuple[Any, Any, Any, Any]:
    model = gp.Model()
    model.Params.OutputFlag = 0
    x = model.addVars(4, lb=-3, ub=9, name="x")
    b = model.addVars(3, vtype="B", name="b")
    r = model.addVar(lb=-20, ub=40, name="r")
    model.addConstr(x.sum() >= 2, "base")
    model.addConstr(b.sum() >= 1)
    goal = r + 1.5 * x[0] - b[2] + 2 * x[1] - 0.5 * x[2] + 0.25 * x[3]
    model.setObjective(goal, GRB.MINIMIZE)
    return model, x, b, r


def _general(model: Any, x: Any, b: Any, r: Any) -> None:
    model.addGenConstrMax(r, [x[0], x[1]], 2.5, "mx")
    model.addGenConstrAnd(b[2], [b[0], b[1]], "an")


def _absolute(model: Any, x: Any, b: Any, r: Any) -> None:
    model.addGenConstrAbs(r, x[0], "ab")
    model.addGenConstrOr(b[2], [b[0], b[1]])


def _pieces(model: Any, x: Any, b: Any, r: Any) -> None:
    model.addGenConstrPWL(x[0], r, [-3, 0, 9], [4, 0, 8], "pw")


def _quadratic(model: Any, x: Any, b: Any, r: Any) -> None:
    model.addQConstr(x[0] * x[0] + 2 * x[1] * x[1] - x[2] <= 7, "q")
    model.addConstr(r >= x[0] + x[1])
    model.setObjective(model.getObjective() + x[1] * x[1] + x[2] * x[2] + 0.5 * x[1] * x[2])


def _logic(model: Any, x: Any, b: Any, r: Any) -> None:
    model.addGenConstrIndicator(b[0], True, x[0] + 2 * x[1] <= 3, name="ind")
    model.addGenConstrIndicator(b[1], False, x[2] - x[3] == 1)
    model.addSOS(GRB.SOS_TYPE2, [x[0], x[1], x[2]], [1, 2, 4])
    model.addConstr(r == x[3])


PARTS = [_general, _absolute, _pieces, _quadratic, _logic]
FIGURES = ("NumVars", "NumConstrs", "NumSOS", "NumGenConstrs", "NumQConstrs", "NumQNZs")


@pytest.mark.parametrize("add", PARTS)
def test_a_written_model_is_read_back_as_it_was(add: Any, tmp_path: Path) -> None:
    model, x, b, r = _base()
    add(model, x, b, r)
    model.optimize()
    file = tmp_path / "rich.lp"
    model.write(str(file))
    again = gp.read(str(file))
    again.Params.OutputFlag = 0
    again.optimize()
    assert again.ObjVal == pytest.approx(model.ObjVal, rel=1e-6)
    assert [getattr(again, name) for name in FIGURES] == [getattr(model, name) for name in FIGURES]
    assert {v.VarName for v in again.getVars()} == {v.VarName for v in model.getVars()}


EVERYTHING = {
    **{"NumVars": 8, "NumConstrs": 3, "NumSOS": 2, "NumQConstrs": 1, "NumGenConstrs": 15},
    **{"NumQNZs": 2, "NumPWLObjVars": 1},
}
"""As Gurobi 13.0.3, which wrote the files, counts them."""


@pytest.mark.parametrize("suffix", [".lp", ".mps"])
def test_all_that_gurobi_writes_is_read(suffix: str) -> None:
    model = gp.read(str(Path(__file__).parents[1] / "milp" / "cases" / f"everything{suffix}"))
    assert {name: getattr(model, name) for name in EVERYTHING} == EVERYTHING
    several = gp.read(str(Path(__file__).parents[1] / "milp" / "cases" / f"several{suffix}"))
    assert (several.NumObj, several.NumVars) == (2, 2)


@pytest.mark.parametrize(
    "row",
    [
        "bad: k = 1 -> ",
        "bad: k = 3 -> a <= 2",
        "bad: a + [ a ^ 2 ] and more",
    ],
)
def test_a_damaged_statement_is_a_gurobi_error(row: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.lp"
    file.write_text(f"Minimize\n a + k\nSubject To\n r: a + k >= 1\n {row}\nEnd\n")
    with pytest.raises(gp.GurobiError):
        gp.read(str(file))
