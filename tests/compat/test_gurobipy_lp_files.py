"""Files of models beyond linear: written, read back by us and by Gurobi, the same model."""

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


def _several(model: Any, x: Any, b: Any, r: Any) -> None:
    model.setObjectiveN(r - x[0], 0, 2, 1.5, 0, 0.25, "first")
    model.setObjectiveN(x[1] + b[0], 1, 1, name="second")
    model.addConstr(r >= x[0])


def _bent(model: Any, x: Any, b: Any, r: Any) -> None:
    model.setPWLObj(x[2], [-3, 0, 9], [4, 1, 7])
    model.addConstr(r == x[3])


def _constant(model: Any, x: Any, b: Any, r: Any) -> None:
    model.setObjective(12.5 - x[0] - x[1] * x[1], GRB.MAXIMIZE)
    model.addRange(x[0] + r, -2, 6, "range of r")


def _types(model: Any, x: Any, b: Any, r: Any) -> None:
    semi = model.addVars(2, lb=2, ub=5, vtype=["S", "N"], name="semi")
    whole = model.addVar(lb=-4, ub=4, vtype="I", name="whole")
    off = model.addVar(vtype="B", ub=0, name="off")
    model.addConstr(semi.sum() - whole + off <= r)


def _smooth(model: Any, x: Any, b: Any, r: Any) -> None:
    model.addConstr(x[0] >= 1)
    model.addConstr(x[3] == 2)
    model.addGenConstrPoly(x[3], x[1], [0.5, 0, -2, 3])
    model.addGenConstrLogA(x[3], x[2], 4)
    model.addGenConstrNorm(r, [x[0], x[3]], 1, "n1")


PARTS = [_general, _absolute, _pieces, _quadratic, _logic, _several, _bent, _constant, _types]
PARTS += [_smooth]
FIGURES = ("NumVars", "NumConstrs", "NumSOS", "NumGenConstrs", "NumQConstrs", "NumQNZs")
FIGURES += ("NumObj", "NumPWLObjVars", "ModelSense")
SUFFIXES = [".lp", ".mps", ".mps.gz"]


def _figures(model: Any) -> list[Any]:
    return [getattr(model, name) for name in FIGURES]


def _made(add: Any) -> Any:
    model, x, b, r = _base()
    add(model, x, b, r)
    model.optimize()
    return model


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("add", PARTS)
def test_a_written_model_is_read_back_as_it_was(add: Any, suffix: str, tmp_path: Path) -> None:
    model = _made(add)
    file = tmp_path / f"rich{suffix}"
    model.write(str(file))
    again = gp.read(str(file))
    again.Params.OutputFlag = 0
    again.optimize()
    assert again.ObjVal == pytest.approx(model.ObjVal, rel=1e-6)
    assert _figures(again) == _figures(model)
    names = {"_".join(v.VarName.split()) for v in model.getVars()}
    assert {v.VarName for v in again.getVars()} == names


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("add", PARTS)
def test_gurobi_reads_what_is_written(add: Any, suffix: str, tmp_path: Path) -> None:
    real = pytest.importorskip("gurobipy")
    model = _made(add)
    model.write(str(tmp_path / f"rich{suffix}"))
    with real.Env(params={"OutputFlag": 0}) as env:
        again = real.read(str(tmp_path / f"rich{suffix}"), env)
        again.optimize()
        if suffix != ".lp" or add is not _several:  # there Gurobi makes columns of constants
            assert _figures(again) == _figures(model)
        assert again.ObjVal == pytest.approx(model.ObjVal, rel=1e-4, abs=1e-4)


def test_what_a_format_lacks_is_refused_and_leaves_no_file(tmp_path: Path) -> None:
    model, x, _, r = _base()
    model.addConstr(r == gp.nlfunc.exp(x[0]))
    for suffix in SUFFIXES:
        with pytest.raises(NotImplementedError, match="writing nonlinear formulas"):
            model.write(str(tmp_path / f"formula{suffix}"))
    assert not [*tmp_path.iterdir()]


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


def test_a_subsystem_has_the_columns_that_it_needs(tmp_path: Path) -> None:
    model = gp.Model()
    model.Params.OutputFlag = 0
    a, x, y = (model.addVar(lb=-gp.GRB.INFINITY, name=name) for name in "axy")
    model.addConstr(a <= 5, "spare")
    curved = model.addConstr(x * x + y * y <= -1)
    model.computeIIS()
    model.write(str(tmp_path / "m.ilp"))
    text = (tmp_path / "m.ilp").read_text()
    assert "qc0: [ + 1 x ^ 2 + 1 y ^ 2 ] <= -1" in text and " a" not in text
    model.remove(curved)
    model.addConstr(gp.LinExpr() >= 1, "never")
    model.computeIIS()
    model.write(str(tmp_path / "m.ilp"))
    assert "never: 0 a >= 1" in (tmp_path / "m.ilp").read_text()


def test_an_mps_file_names_its_model(tmp_path: Path) -> None:
    rows = "ROWS\n N o\n G c\nCOLUMNS\n x o 1 c 1\nRHS\n RHS c 2\nENDATA\n"
    for line, name in (("NAME  a plan \n", "a plan"), ("NAME\n", ""), ("", "")):
        (tmp_path / "m.mps").write_text(line + rows)
        assert gp.read(str(tmp_path / "m.mps")).ModelName == name


def test_a_subsystem_is_written_with_its_parts(tmp_path: Path) -> None:
    model = gp.Model()
    model.Params.OutputFlag = 0
    x, b = model.addVar(ub=9, name="x"), model.addVar(vtype="B", name="b")
    model.addConstr((b == 1) >> (x >= 5), "tied")
    model.addConstr((b == 0) >> (x >= 2), "spare")
    model.addConstr(b >= 1, "on")
    model.addConstr(x <= 3, "cap")
    model.computeIIS()
    model.write(str(tmp_path / "conflict.ilp"))
    (tmp_path / "conflict.ilp").rename(tmp_path / "conflict.lp")
    again = gp.read(str(tmp_path / "conflict.lp"))
    again.Params.OutputFlag = 0
    again.optimize()
    assert (again.Status, again.NumGenConstrs, again.NumConstrs) == (GRB.INFEASIBLE, 1, 2)


def test_a_linear_program_gives_nothing_of_its_first_objective_up() -> None:
    model = gp.Model()
    model.Params.OutputFlag = 0
    x = model.addVars(2, ub=3, name="x")
    model.addConstr(x.sum() >= 4)
    model.setObjectiveN(x[0], 0, 2)
    model.setObjectiveN(x[1], 1, 1)
    model.optimize()
    assert (model.ObjVal, x[0].X, x[1].X) == (1, 1, 3)
