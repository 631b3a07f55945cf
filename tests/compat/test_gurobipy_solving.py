"""Solving through our gurobipy: statuses, solutions, callbacks, subsystems, files."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

import ordojo.compat.gurobipy as gp
from ordojo.compat.gurobipy import GRB, nlfunc, quicksum
from ordojo.compat.gurobipy.params import IGNORED


@pytest.fixture
def model() -> gp.Model:
    made = gp.Model("m")
    made.Params.OutputFlag = 0
    return made


def knapsack(model: gp.Model) -> Any:
    x = model.addVars(12, vtype=GRB.INTEGER, ub=9, name="x")
    model.addConstr(quicksum((3 * i + 7) * x[i] for i in range(12)) <= 101, name="room")
    model.setObjective(quicksum((5 * i + 9) * x[i] for i in range(12)), GRB.MAXIMIZE)
    return x


def test_linear_program_with_duals(model: gp.Model) -> None:
    x, y = model.addVar(name="x"), model.addVar(name="y")
    c = model.addConstr(x + 2 * y <= 14, "c")
    d = model.addConstr(3 * x - y >= 0, "d")
    e = model.addConstr(x - y <= 2, "e")
    model.setObjective(3 * x + 4 * y, sense=GRB.MAXIMIZE)
    model.optimize()
    assert model.status == GRB.OPTIMAL == model.Status
    assert model.objVal == pytest.approx(34)
    assert (x.x, y.X) == (pytest.approx(6), pytest.approx(4))
    assert [k.Pi for k in (c, d, e)] == pytest.approx([7 / 3, 0, 2 / 3])
    assert [k.Slack for k in (c, d, e)] == pytest.approx([0, -14, 0])
    assert model.getAttr("x", [x, y]) == pytest.approx([6, 4])
    assert pytest.approx(0) == x.RC
    assert model.SolCount == 1
    assert model.IsMIP == 0


def test_statuses(model: gp.Model) -> None:
    x = model.addVar(vtype="I", ub=5)
    model.addConstr(x >= 7)
    model.optimize()
    assert model.Status == GRB.INFEASIBLE
    with pytest.raises(AttributeError, match="Unable to retrieve attribute 'ObjVal'"):
        _ = model.ObjVal
    free = gp.Model()
    free.Params.OutputFlag = 0
    free.setObjective(free.addVar(lb=-GRB.INFINITY))
    free.optimize()
    assert free.status in (GRB.UNBOUNDED, GRB.INF_OR_UNBD)


def test_a_change_forgets_the_solution(model: gp.Model) -> None:
    x = knapsack(model)
    model.optimize()
    assert model.SolCount >= 1
    model.addConstr(x[0] >= 1)
    assert x[0].X >= 0
    model.update()
    assert model.Status == GRB.LOADED
    with pytest.raises(AttributeError, match="Unable to retrieve attribute 'X'"):
        _ = x[0].X


def test_log_lines(capsys: pytest.CaptureFixture[str]) -> None:
    model = gp.Model()
    knapsack(model)
    model.optimize()
    said = capsys.readouterr().out
    assert "Optimal solution found (tolerance 1.00e-04)" in said
    assert "Best objective 1.57" in said
    relaxed = model.relax()
    relaxed.optimize()
    assert "Optimal objective  " in capsys.readouterr().out
    relaxed.setParam("OutputFlag", 0)
    relaxed.optimize()
    assert capsys.readouterr().out == ""


def test_lazy_constraints_and_callback_figures(model: gp.Model) -> None:
    x = knapsack(model)
    seen: list[Any] = []

    def callback(m: Any, where: int) -> None:
        if where == GRB.Callback.MIPSOL:
            values = m.cbGetSolution(x)
            seen.append((m.cbGet(GRB.Callback.MIPSOL_OBJ), m.cbGetSolution(x[0])))
            if sum(values.values()) > 5.5:
                m.cbLazy(x.sum() <= 5)

    model.Params.LazyConstraints = 1
    model.optimize(callback)
    assert model.Status == GRB.OPTIMAL
    assert sum(v.X for v in x.values()) <= 5 + 1e-6
    assert seen
    direct = gp.Model()
    direct.Params.OutputFlag = 0
    other = knapsack(direct)
    direct.addConstr(other.sum() <= 5)
    direct.optimize()
    assert model.ObjVal == pytest.approx(direct.ObjVal)


def test_terminate_and_faulty_callback(model: gp.Model, capsys: pytest.CaptureFixture[str]) -> None:
    knapsack(model)
    model.optimize(lambda m, where: m.terminate() if where == GRB.Callback.MIPSOL else None)
    assert model.Status == GRB.INTERRUPTED

    def faulty(m: Any, where: int) -> None:
        raise ZeroDivisionError("mine")

    model.reset()
    model.optimize(faulty)
    assert model.Status == GRB.OPTIMAL
    assert "ZeroDivisionError: mine" in capsys.readouterr().err


def test_infeasible_subsystem(model: gp.Model, tmp_path: Path) -> None:
    a, b = model.addVar(ub=3, name="a"), model.addVar(ub=3, name="b")
    model.addConstr(a + b >= 7, "c1")
    model.addConstr(a - b <= 1, "c2")
    model.optimize()
    model.computeIIS()
    assert [c.IISConstr for c in model.getConstrs()] == [1, 0]
    assert [(v.IISLB, v.IISUB) for v in (a, b)] == [(0, 1), (0, 1)]
    assert model.IISMinimal == 1
    model.write(str(tmp_path / "m.ilp"))
    text = (tmp_path / "m.ilp").read_text(encoding="utf-8")
    assert "c1" in text
    assert "c2" not in text
    model.remove(model.getConstrs()[0])
    model.optimize()
    with pytest.raises(gp.GurobiError, match="feasible model") as error:
        model.computeIIS()
    assert error.value.errno == GRB.Error.IIS_NOT_INFEASIBLE


@pytest.mark.parametrize(("kind", "cost"), [(0, 9.0), (1, 41.0), (2, 2.0)])
def test_feasibility_relaxation(model: gp.Model, kind: int, cost: float) -> None:
    x = model.addVar(ub=3, name="x")
    model.addConstr(x >= 7, "c")
    model.addConstr(x >= 8, "d")
    model.feasRelaxS(kind, False, False, True)
    model.optimize()
    assert model.ObjVal == pytest.approx(cost, rel=1e-4)


def test_minimal_relaxation_keeps_the_objective(model: gp.Model) -> None:
    x = model.addVar(name="x")
    model.addConstr(x >= 7)
    model.addConstr(x <= 5)
    model.setObjective(x, GRB.MAXIMIZE)
    assert model.feasRelaxS(0, True, False, True) == pytest.approx(2)
    model.optimize()
    assert model.ObjVal == pytest.approx(7, abs=1e-4)


def test_general_constraints_and_indicators(model: gp.Model) -> None:
    a, b = model.addVar(lb=-5, ub=5, name="a"), model.addVar(ub=4, name="b")
    z, t = model.addVar(lb=-10), model.addVar(vtype="B")
    model.addConstr(z == gp.abs_(a))
    model.addGenConstrMax(z, [a, b], 2)
    model.addConstr((t == 1) >> (a >= 2))
    model.addConstr((t == 0) >> (b >= 3))
    model.setObjective(a + b + z - 0.5 * t)
    model.optimize()
    assert model.Status == GRB.OPTIMAL
    assert pytest.approx(max(a.X, b.X, 2), abs=1e-5) == z.X
    assert pytest.approx(abs(a.X), abs=1e-5) == z.X
    assert model.ObjVal == pytest.approx(3, abs=1e-4)


@pytest.mark.parametrize(("cap", "least"), [(10, 3), (2, 2)])
def test_extremes_take_numbers_among_their_terms(model: gp.Model, cap: int, least: int) -> None:
    x, low, high = model.addVar(lb=cap, ub=cap), model.addVar(), model.addVar()
    model.addConstr(low == gp.min_(x, 3, 5))
    model.addConstr(high == gp.max_(x, 3, 5))
    model.optimize()
    assert (least, max(cap, 5)) == (low.X, high.X)


def test_logical_constraints_solve_with_binaries(model: gp.Model) -> None:
    x, y = model.addVar(ub=7), model.addVar(ub=7)
    r = model.addVar()
    model.addConstr(r == gp.and_(x, y))
    model.setObjective(x + y + r, GRB.MAXIMIZE)
    model.optimize()
    assert model.ObjVal == pytest.approx(3)
    assert (x.VType, x.UB) == ("C", 7.0)  # binary in the solve alone, as Gurobi 13 has it


def test_formulas(model: gp.Model) -> None:
    a, c = model.addVar(lb=1, ub=5), model.addVar(lb=1, ub=5)
    y, w = model.addVar(lb=-100), model.addVar(lb=-100)
    model.addConstr(y == a / c + a**3)
    model.addConstr(w == nlfunc.log(a + 1) - 2 * nlfunc.sqrt(c))
    model.setObjective(y + w)
    model.optimize()
    assert model.Status == GRB.OPTIMAL
    assert pytest.approx(a.X / c.X + a.X**3, rel=1e-3) == y.X
    assert pytest.approx(5, abs=1e-3) == c.X


def test_quadratic(model: gp.Model) -> None:
    a, b = model.addVar(lb=-5, ub=5), model.addVar(ub=4)
    row = model.addConstr(a * a + b * b <= 4, "ball")
    model.setObjective(a * b - a)
    model.optimize()
    assert model.Status == GRB.OPTIMAL
    assert row.QCSlack >= -1e-5
    assert model.getObjective().getValue() == pytest.approx(model.ObjVal, abs=1e-5)


def test_several_objectives(model: gp.Model) -> None:
    x = model.addVars(3, ub=5, vtype="I")
    model.ModelSense = GRB.MAXIMIZE
    model.setObjectiveN(x.sum(), 0, priority=2)
    model.setObjectiveN(x[0] - x[1], 1, priority=1, name="second")
    model.addConstr(x.sum() <= 6)
    model.optimize()
    assert model.NumObj == 2
    assert model.ObjVal == pytest.approx(6)
    model.Params.ObjNumber = 1
    assert model.ObjNVal == pytest.approx(5)
    assert model.ObjNName == "second"


def test_piecewise_objective_and_start(model: gp.Model) -> None:
    a = model.addVar(ub=4, name="a")
    a.Start = 2
    model.setPWLObj(a, [0, 1, 3], [3, 1, 5])
    model.optimize()
    assert (model.ObjVal, a.X) == (pytest.approx(1, abs=1e-6), pytest.approx(1, abs=1e-6))


def test_files(model: gp.Model, tmp_path: Path) -> None:
    x = knapsack(model)
    model.addConstr(x[0] + x[1] == [1, 3], "between")
    model.optimize()
    best = model.ObjVal
    for name in ("m.lp", "m.mps", "m.lp.gz", "m.mps.gz"):
        model.write(str(tmp_path / name))
        back = gp.read(str(tmp_path / name))
        back.Params.OutputFlag = 0
        back.optimize()
        assert back.ObjVal == pytest.approx(best)
        assert back.getVarByName("x[0]").VarName == "x[0]"
    assert gzip.decompress((tmp_path / "m.lp.gz").read_bytes()).startswith(b"\\ Model m")
    model.write(str(tmp_path / "m.sol"))
    assert f"# Objective value = {best:.16g}" in (tmp_path / "m.sol").read_text(encoding="utf-8")
    assert json.loads(model.getJSONSolution())["SolutionInfo"]["ObjVal"] == pytest.approx(best)
    values = model.X
    model.read(str(tmp_path / "m.sol"))
    model.update()
    assert [v.Start for v in model.getVars()] == values
    assert x[11].Start == values[11]
    for name, number in (("m.foo", 10013), ("no/such/folder/m.lp", 10013)):
        with pytest.raises(gp.GurobiError) as error:
            model.write(str(tmp_path / name))
        assert error.value.errno == number
    with pytest.raises(gp.GurobiError, match="Unable to open file"):
        gp.read(str(tmp_path / "absent.lp"))


def test_written_quadratic_model_is_read_by_gurobi(model: gp.Model, tmp_path: Path) -> None:
    real = pytest.importorskip("gurobipy")
    a, b = model.addVar(lb=-5, ub=5, name="a"), model.addVar(ub=4, name="b c")
    t = model.addVar(vtype="B", name="t[1,2]")
    z = model.addVar(name="z")
    model.addConstr(a * a + 2 * a * b + 2 * b * b <= 4 + a, "ball")
    model.addConstr((t == 1) >> (a + b >= 1), "if")
    model.addConstr(z == gp.max_(a, b, 1), "top")
    model.addSOS(2, [a, b, z], [1, 2, 3])
    model.setObjective(a * a - 3 * b + z - 2 * t + 7)
    model.optimize()
    model.write(str(tmp_path / "m.lp"))
    with real.Env(empty=True) as env:
        env.setParam("OutputFlag", 0)
        env.start()
        back = real.read(str(tmp_path / "m.lp"), env)
        back.optimize()
        assert back.ObjVal == pytest.approx(model.ObjVal, abs=1e-4)


def test_copy_relax_and_fixed(model: gp.Model) -> None:
    x = knapsack(model)
    model.optimize()
    other = model.copy()
    other.optimize()
    assert other.ObjVal == pytest.approx(model.ObjVal)
    assert other.getVarByName("x[3]") is not x[3]
    relaxed = model.relax()
    relaxed.optimize()
    assert relaxed.ObjVal >= model.ObjVal
    fixed = model.fixed()
    fixed.optimize()
    assert fixed.ObjVal == pytest.approx(model.ObjVal)


def test_unsupported_features_are_named(model: gp.Model) -> None:
    with pytest.raises(NotImplementedError, match="presolve"):
        model.presolve()
    with pytest.raises(NotImplementedError, match="signpow"):
        nlfunc.signpow(model.addVar(), 2)
    with pytest.raises(NotImplementedError, match=r"scenarios .*; solve one model for each"):
        model.NumScenarios = 2
        model.update()


def test_ignored_parameters_are_named(model: gp.Model) -> None:
    model.Params.MIPFocus = 2
    model.setParam("TimeLimit", 20)
    assert "MIPFocus" in IGNORED
    assert "TimeLimit" not in IGNORED


def test_environment_and_global_parameters() -> None:
    with gp.Env(params={"OutputFlag": 0, "MIPGap": 0.5}) as env:
        assert gp.Model(env=env).Params.MIPGap == 0.5
    gp.setParam("TimeLimit", 7)
    try:
        assert gp.Model().Params.TimeLimit == 7
    finally:
        gp.resetParams()
    assert gp.Model().Params.TimeLimit == float("inf")


@pytest.mark.parametrize(
    ("forced", "members"),
    [
        ({"b": 0}, {"a", "c", "d"}),
        ({"c": 0}, {"a", "b", "d"}),
        ({"b": 1, "c": 1}, {"a", "b", "c", "d"}),
        ({"c": 0, "d": 0}, {"a", "b", "x.lb"}),
        ({"a": 0}, set()),
    ],
)
def test_members_forced_into_a_subsystem_of_an_lp(
    model: gp.Model, forced: dict[str, int], members: set[str]
) -> None:
    """As the manual has it; Gurobi itself passes over the attributes where its presolve knows."""
    x, y = model.addVar(name="x"), model.addVar(name="y")
    model.addConstr(x + 2 * y >= 8, "a")
    model.addConstr(x + y <= 3, "b")
    model.addConstr(x + y <= 2, "c")
    model.addConstr(x - y >= -1, "d")
    model.update()
    for name, force in forced.items():
        model.getConstrByName(name).IISConstrForce = force
    if not members:
        with pytest.raises(gp.GurobiError, match="feasible"):
            model.computeIIS()
        return
    model.computeIIS()
    found = {c.ConstrName for c in model.getConstrs() if c.IISConstr}
    assert found | {f"{v.VarName}.lb" for v in model.getVars() if v.IISLB} == members


@pytest.mark.parametrize("kind", "CI")
def test_callback_hears_the_log_and_may_stop_the_solve(model: gp.Model, kind: str) -> None:
    x = model.addVar(ub=2, obj=-1, vtype=kind)
    heard: list[str] = []

    def listen(m: Any, where: int) -> None:
        if where == GRB.Callback.MESSAGE:
            heard.append(m.cbGet(GRB.Callback.MSG_STRING))
            assert m.cbGet(GRB.Callback.RUNTIME) >= 0

    model.optimize(listen)
    assert x.X == 2 and all(text.endswith("\n") for text in heard)
    assert any("0 rows, 1 columns" in text for text in heard) and any("ptimal" in t for t in heard)
    model.reset()
    model.optimize(lambda m, where: m.terminate())
    assert (model.Status, model.SolCount) == (GRB.INTERRUPTED, 0)
