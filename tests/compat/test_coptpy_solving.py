"""Solving through our coptpy; the expected figures are COPT 8.0.7's."""

import random

import numpy as np
import pytest

import ordojo.compat.coptpy as cp
import ordojo.compat.gurobipy as gp
from ordojo.compat.coptpy import COPT, CoptError


def quiet(name: str = "t") -> cp.Model:
    model = cp.Envr().createModel(name)
    model.setParam("Logging", 0)
    return model


def small(kind: str = "C"):
    model = quiet()
    x, y = model.addVar(name="x", ub=4, obj=3, vtype=kind), model.addVar(name="y", obj=2)
    rows = model.addConstr(x + y <= 5, name="c"), model.addConstr(x + 3 * y >= 1)
    model.setObjSense(COPT.MAXIMIZE)
    return model, x, y, rows


def test_an_lp():
    model, x, y, (c, d) = small()
    model.solve()
    assert (model.status, model.LpStatus, model.MipStatus) == (1, 1, 0)
    assert model.objval == model.LpObjVal == pytest.approx(14)
    assert (model.haslpsol, model.hasmipsol, model.ismip, model.BestObj) == (1, 0, 0, 0.0)
    assert (x.x, x.rc, y.RedCost, c.pi, d.Dual) == pytest.approx((4, 1, 0, 2, 0))
    assert (c.slack, d.slack) == pytest.approx((5, 7))
    assert model.getLpSolution()[0] == pytest.approx([4, 1])
    assert (2 * x + 1).getValue() == pytest.approx(9)
    assert (x * y).getValue() == pytest.approx(4)


def test_the_solution_stays_until_columns_come():
    model, x, y, (c, _) = small()
    model.solve()
    x.ub = 3
    model.addConstr(x + y <= 2)
    assert (x.x, model.status) == (4.0, 1)
    with pytest.raises(CoptError):
        _ = c.slack
    model.addVar()
    with pytest.raises(CoptError):
        _ = x.x
    model.solve()
    assert model.objval == pytest.approx(6)


def test_a_mip_has_no_duals():
    model, x, y, (c, _) = small("I")
    model.solve()
    assert (model.status, model.MipStatus, model.LpStatus, model.ismip) == (1, 1, 0, 1)
    assert model.BestObj == model.BestBnd == pytest.approx(14)
    assert (model.BestGap, model.PoolSols) == (0.0, 1)
    assert model.getPoolObjVal(0) == pytest.approx(14)
    assert model.getPoolSolution(0, [x, y]) == pytest.approx([4, 1])
    for read in (lambda: x.rc, lambda: c.pi, model.getDuals, model.getSlacks):
        with pytest.raises(CoptError):
            read()
    assert c.slack == pytest.approx(5)
    model.solveLP()
    assert (model.LpStatus, model.MipStatus) == (1, 0)


@pytest.mark.parametrize("sense", [COPT.MINIMIZE, COPT.MAXIMIZE])
@pytest.mark.parametrize(
    ("kind", "lower", "rhs", "status"),
    [("C", 0.0, -1.0, 2), ("I", 0.0, -1.0, 2), ("C", -1e30, None, 3), ("I", -1e30, None, 4)],
)
def test_endings_without_a_solution(sense, kind, lower, rhs, status):
    model = quiet()
    x = model.addVar(lb=lower, vtype=kind)
    if rhs is not None:
        model.addConstr(x <= rhs)
    model.setObjective(x, sense)
    model.solve()
    assert (model.status, model.objval, model.HasSol) == (status, COPT.INFINITY, 0)
    with pytest.raises(CoptError):
        _ = x.x


def test_iis(tmp_path):
    model, x, y, (c, _) = small("I")
    g = model.addConstr(x + y >= 10, name="g")
    model.computeIIS()
    assert (model.hasiis, model.isminiis, model.iisrows, model.iiscols) == (1, 1, 2, 0)
    assert (c.iislb, c.iisub, g.iislb, g.iisub) == (0, 1, 1, 0)
    assert model.getConstrLowerIIS([c, g]) == [0, 1]
    assert model.getVarUpperIIS([x, y]) == [0, 0]
    model.writeIIS(str(tmp_path / "a.iis"))
    text = (tmp_path / "a.iis").read_text()
    assert "c:" in text and "R1" not in text and "inf" not in text


def test_iis_of_other_parts(tmp_path):
    model = quiet()
    x, y = model.addVar(ub=9, name="x"), model.addVar(ub=9, name="y")
    b, spare = model.addVar(vtype="B", name="b"), model.addVar(name="spare")
    on = model.addConstr(b >= 1, name="on")
    cap = model.addConstr(x <= 3, name="cap")
    tied = model.addConstr((b == 1) >> (x >= 5), name="tied")
    other = model.addConstr((b == 0) >> (x >= 2), name="other")
    pair = model.addSOS(COPT.SOS_TYPE1, [y, spare])
    with pytest.raises(CoptError, match="Fail to get IIS status"):
        tied.getIIS()
    model.computeIIS()
    assert (model.iisrows, model.iiscols, model.iisindicators, model.iissoss) == (2, 0, 1, 0)
    assert model.getIndicatorIIS([tied, other]) == [1, 0] and model.getSOSIIS([pair]) == [0]
    assert (on.iislb, on.iisub, cap.iislb, cap.iisub) == (1, 0, 0, 1)
    model.writeIIS(str(tmp_path / "a.iis"))
    text = (tmp_path / "a.iis").read_text()
    assert "tied: b = 1 ->" in text and "other" not in text and "spare" not in text
    model.remove(tied)
    model.addQConstr(x * x + y * y >= 200, name="far")
    model.computeIIS()
    assert (model.iisrows, model.iiscols, model.iisindicators) == (0, 2, 0)
    model.writeIIS(str(tmp_path / "b.iis"))
    assert "far: [" in (tmp_path / "b.iis").read_text()
    model.addNlConstr(cp.nl.exp(x) <= 0.5)
    with pytest.raises(NotImplementedError, match="nonlinear"):
        model.computeIIS()


def test_a_file_may_hold_all_that_a_problem_has(tmp_path):
    (tmp_path / "m.lp").write_text(
        "Maximize\n obj: x + 3 y + [ - 2 z ^ 2 + 8 z * x ] / 2\nSubject To\n cap: x + y <= 8\n"
        " ball: [ z ^ 2 ] <= 4\n tied: b = 1 -> y <= 2\nBounds\n x <= 3\n y <= 9\n z <= 5\n"
        " w <= 9\nBinaries\n b\nGenerals\n y\nGeneral Constraints\n most: w = MAX ( x , y , 1 )\n"
        "SOS\n pair: S1:: w:1 b:2\nEnd\n"
    )
    model = cp.Envr().createModel("read")
    model.setParam("Logging", 0)
    model.read(str(tmp_path / "m.lp"))
    counts = (model.cols, model.rows, model.qconstrs, model.indicators, model.soss, model.hasqobj)
    assert counts == (5, 1, 1, 2, 1, 1)
    model.solve()
    assert model.objval == pytest.approx(3 + 15 - 4 + 24, abs=1e-4)
    several = tmp_path / "several.lp"
    ends = "Weight=1 AbsTol=1e-06 RelTol=0"
    several.write_text(
        f"Minimize multi-objectives\n A: Priority=2 {ends}\n x + 2 y + 3 Constant0\n"
        f" B: Priority=1 {ends}\n 3 x - y\nSubject To\n c: x + y >= 1\nBounds\n y <= 3\n"
        " Constant0 = 1\nEnd\n"
    )
    model.read(str(several))
    assert (model.multiobjs, model.cols) == (2, 2)
    model.solve()
    found = [model.getAttrN(k, "ObjVal") for k in (0, 1)]
    other = gp.read(str(several))
    other.Params.OutputFlag = 0
    other.optimize()
    for k, value in enumerate(found):
        other.Params.ObjNumber = k
        assert other.ObjNVal == pytest.approx(value)


def test_start_values_are_read_and_a_name_given_twice_is_said(tmp_path):
    model, x, y, _ = small("I")
    model.solve()
    model.write(str(tmp_path / "a.sol"))
    again, one, two, _ = small("I")
    again.read(str(tmp_path / "a.sol"))
    assert again._state.proposed == [(one, x.x), (two, y.x)]
    (tmp_path / "b.mst").write_text("x 1\nx 2\n")
    with pytest.raises(CoptError, match="'x' is given twice"):
        again.read(str(tmp_path / "b.mst"))
    (tmp_path / "c.par").write_text("RelGap 0.25\n# a comment\n\nLogging  0\n")
    again.read(str(tmp_path / "c.par"))
    assert again.Param.RelGap == 0.25


def test_general_constraints_and_sets():
    model = quiet()
    x, y, z = (model.addVar(lb=-9, ub=9, name=n) for n in "xyz")
    b = model.addVar(vtype="B")
    model.addGenConstrMax(z, [x, y], 3.0)
    w = model.addVar(ub=20)
    model.addGenConstrAbs(w, x - y)
    model.addConstr((b == 1) >> (x + y <= -10))
    model.addConstr(w <= 6)
    u = model.addVar(lb=-100, ub=100)
    model.addGenConstrPWL(x, u, [-9, 0, 9], [0, 9, 0])
    model.setObjective(20 * b + u - z, COPT.MAXIMIZE)
    model.solve()
    assert model.status == COPT.OPTIMAL
    assert (b.x, z.x) == pytest.approx((1, 3))
    assert model.objval == pytest.approx(20 + 7 - 3)
    model.addSOS(COPT.SOS_TYPE1, [x, y])
    model.solve()
    assert min(abs(x.x), abs(y.x)) == pytest.approx(0, abs=1e-6)


def test_quadratic_and_nonlinear():
    model = quiet()
    x, y = model.addVar(lb=-5, ub=5), model.addVar(lb=-5, ub=5)
    model.setObjective(x * x - x + y * y)
    model.solve()
    assert model.objval == pytest.approx(-0.25, abs=1e-6)
    model.addQConstr(x * y >= 1)
    model.setObjective(x + y, COPT.MINIMIZE)
    model.solve()
    assert model.objval == pytest.approx(-10, abs=1e-4)
    other = quiet()
    v = other.addVar(lb=-2, ub=2)
    other.addNlConstr(cp.nl.exp(v) <= 2)
    other.setObjective(v, COPT.MAXIMIZE)
    other.solve()
    assert other.objval == pytest.approx(np.log(2), abs=1e-4)
    other.setObjective(v**3, COPT.MINIMIZE)
    other.solve()
    assert other.objval == pytest.approx(-8, abs=1e-3)


def test_several_objectives():
    model = quiet()
    x, y = model.addVar(ub=4, vtype="I"), model.addVar(ub=5, vtype="I")
    model.addConstr(x + y <= 6)
    model.setObjectiveN(0, x + y, COPT.MAXIMIZE, priority=2)
    model.setObjectiveN(1, y, COPT.MINIMIZE, priority=1)
    model.solve()
    assert (model.objval, x.x, y.x) == pytest.approx((6, 4, 2))
    assert model.getAttrN(1, "ObjVal") == pytest.approx(2)
    assert model.MultiObjs == 2


def test_start_and_relative_gap():
    model, x, y, _ = small("I")
    model.setMipStart([x, y], [1, 2])
    model.loadMipStart()
    model.Param.RelGap = 0.5
    model.solve()
    assert model.objval >= 14 / 1.5


class Limit(cp.CallbackBase):
    def __init__(self, variables):
        super().__init__()
        self.variables, self.calls = variables, 0

    def callback(self):
        self.calls += 1
        if self.where() == COPT.CBCONTEXT_MIPSOL and sum(self.getSolution(self.variables)) > 8:
            self.addLazyConstr(cp.quicksum(self.variables) <= 8)


def knapsacks():
    chance = random.Random(1)
    model = quiet()
    x = [model.addVar(vtype="I", ub=3) for _ in range(12)]
    for _ in range(8):
        model.addConstr(cp.quicksum(chance.randint(1, 9) * v for v in x) <= chance.randint(30, 60))
    model.setObjective(cp.quicksum(chance.randint(1, 9) * v for v in x), COPT.MAXIMIZE)
    return model, x


def test_lazy_constraints_are_kept():
    plain, x = knapsacks()
    plain.addConstr(cp.quicksum(x) <= 8)
    plain.solve()
    called, x = knapsacks()
    callback = Limit(x)
    called.setCallback(callback, COPT.CBCONTEXT_MIPSOL)
    called.solve()
    assert called.status == COPT.OPTIMAL
    assert called.objval == pytest.approx(plain.objval)
    assert callback.calls > 0
    lazy, x = knapsacks()
    lazy.addLazyConstr(cp.quicksum(x) <= 8)
    lazy.solve()
    assert lazy.objval == pytest.approx(plain.objval)


def test_files_come_back(tmp_path):
    model, x, _, _ = small("I")
    model.addBoundConstr(x, 1, 3, "span")
    model.solve()
    for ending in ("lp", "mps"):
        path = str(tmp_path / f"a.{ending}")
        model.write(path)
        other = quiet()
        other.read(path)
        other.solve()
        assert other.objval == pytest.approx(model.objval)
        assert other.getConstrByName("span").ub == 3.0
    model.write(str(tmp_path / "a.sol"))
    assert "x 3" in (tmp_path / "a.sol").read_text()
    model.read(str(tmp_path / "a.sol"))


def test_the_log_can_be_read_and_silenced(capsys, tmp_path):
    model = cp.Envr().createModel()
    x = model.addVar(ub=3)
    model.setObjective(x, COPT.MAXIMIZE)
    model.setLogFile(str(tmp_path / "log"))
    model.solve()
    line = "Status: Optimal  Objective: 3.0000000000e+00"
    assert line in capsys.readouterr().out
    assert line in (tmp_path / "log").read_text()
    x.vtype = "I"
    model.solve()
    assert "Best solution   : 3.000000000" in capsys.readouterr().out
    model.Param.Logging = 0
    capsys.readouterr()
    model.solve()
    assert capsys.readouterr().out == ""


def test_least_violation():
    model = quiet()
    x, y = model.addVar(ub=4, name="x"), model.addVar(ub=4, name="y")
    much = model.addConstr(x + y >= 11, name="much")
    apart = model.addConstr(x - y >= 2)
    model.solve()
    assert model.status == COPT.INFEASIBLE
    model.feasRelaxS(True, True)
    assert (model.hasfeasrelaxsol, model.feasrelaxobj) == (1, pytest.approx(3))
    model.feasRelaxS(False, True)
    assert model.feasrelaxobj == pytest.approx(5)
    model.feasRelax([x, y], [1, 1], [0.5, 1], [much], None, None)
    assert model.feasrelaxobj == pytest.approx(1.5)
    assert x.relaxub == pytest.approx(3)
    b = model.addVar(lb=1, vtype="B", name="b")
    model.addConstr((b == 1) >> (y >= 6))  # which itself must hold
    model.addNlConstr(cp.nl.exp(x) <= 20)
    model.feasRelax([y], [1], [2], [much, apart], [1, 1], None)
    assert model.feasrelaxobj == pytest.approx(2 * 2 + 11 - 6 + 2 + 6 - 2 * np.log(20), abs=1e-4)
    assert y.relaxub == pytest.approx(2, abs=1e-4)


def test_cones():
    model = quiet()
    t, x, y = (model.addVar(lb=-COPT.INFINITY) for _ in range(3))
    model.addConstr(3 * x + 4 * y == 10)
    model.addCone([t, x, y], COPT.CONE_QUAD)
    model.setObjective(t, COPT.MINIMIZE)
    model.solve()
    assert model.objval == pytest.approx(2, abs=1e-4)
    assert (model.Cones, model.QConstrs) == (1, 0)


def test_a_clone_is_solved_alone():
    first = quiet()
    x = first.addVar(ub=3, name="x")
    first.setObjective(x, COPT.MAXIMIZE)
    twin = first.clone()
    twin.getVarByName("x").ub = 8
    twin.addConstr(twin.getVarByName("x") <= 7)
    twin.solve()
    first.solve()
    assert (first.objval, twin.objval) == pytest.approx((3, 7))


@pytest.mark.parametrize("ending", ["lp", "mps"])
def test_gurobi_reads_what_is_beyond_linear(tmp_path, ending):
    real = pytest.importorskip("gurobipy")
    model = quiet()
    x, y = (model.addVar(ub=4, name=name) for name in "xy")
    on = model.addVar(vtype=COPT.BINARY, name="on")
    model.addConstr(x + y >= 2, name="need")
    model.addGenConstrIndicator(on, True, x <= 1)
    model.addSOS(COPT.SOS_TYPE1, [x, y], [1, 2])
    model.addQConstr(x * x + y * y <= 9, name="disk")
    model.setObjective(x + 2 * y - on + x * x, COPT.MAXIMIZE)
    model.solve()
    model.write(str(tmp_path / f"a.{ending}"))
    with real.Env(params={"OutputFlag": 0}) as env:
        again = real.read(str(tmp_path / f"a.{ending}"), env)
        again.optimize()
        assert (again.NumSOS, again.NumGenConstrs, again.NumQConstrs) == (1, 1, 1)
        assert again.ObjVal == pytest.approx(model.objval, rel=1e-6)
