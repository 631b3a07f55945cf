"""Models of other libraries: each by its own interface, under its own names, whole."""

import importlib.util
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ordojo.compat.service import Service
from ordojo.core.errors import DataError
from ordojo.milp.model import Model, VarType
from ordojo.milp.objects import problem_of_object
from ordojo.milp.problem import GeneralFunction, Problem

ODD = ("x y", "a-b[1,é]", "2nd", "free", "x+y<=3", "#'\"\\", "obj", "C0")
"""Names that no format of files takes all."""


def gurobipy() -> Any:
    gp = pytest.importorskip("gurobipy")
    m = gp.Model("toy", env=gp.Env(params={"OutputFlag": 0}))
    x, y = m.addVar(ub=4, name="x"), m.addVar(vtype="B", name="y")
    m.addConstr(x + y >= 6, name="need")
    m.setObjective(3 * x + y + 7, gp.GRB.MAXIMIZE)
    return m


def highspy() -> Any:
    h = __import__("highspy").Highs()
    h.setOptionValue("output_flag", False)
    x, y = h.addVariable(lb=0, ub=4, name="x"), h.addBinary(name="y")
    h.addConstr(x + y >= 6, name="need")
    h.maximize(3 * x + y + 7)
    return h


def pyomo() -> Any:
    po = pytest.importorskip("pyomo.environ")
    m = po.ConcreteModel()
    m.x, m.y = po.Var(bounds=(0, 4)), po.Var(domain=po.Binary)
    m.value = po.Objective(expr=3 * m.x + m.y + 7, sense=po.maximize)
    m.need = po.Constraint(expr=m.x + m.y >= 6)
    return m


def pulp() -> Any:
    pulp = pytest.importorskip("pulp")
    m = pulp.LpProblem("toy", pulp.LpMaximize)
    x, y = pulp.LpVariable("x", 0, 4), pulp.LpVariable("y", cat="Binary")
    m += 3 * x + y + 7
    m += x + y >= 6, "need"
    return m


def linopy() -> Any:
    linopy = pytest.importorskip("linopy")
    m = linopy.Model()
    x, y = m.add_variables(lower=0, upper=4, name="x"), m.add_variables(binary=True, name="y")
    m.add_constraints(x + y >= 6, name="need")
    m.add_objective(3 * x + y, sense="max")
    return m


def mip() -> Any:
    mip = pytest.importorskip("mip")
    m = mip.Model("toy", solver_name="CBC")
    x, y = m.add_var("x", ub=4), m.add_var("y", var_type="B")
    m += x + y >= 6, "need"
    m.objective = mip.maximize(3 * x + y + 7)
    return m


def pyscipopt() -> Any:
    scip = pytest.importorskip("pyscipopt")
    m = scip.Model("toy")
    x, y = m.addVar("x", ub=4), m.addVar("y", vtype="B")
    m.addCons(x + y >= 6, "need")
    m.setObjective(3 * x + y + 7, "maximize")
    return m


@pytest.mark.parametrize("make", [gurobipy, highspy, pyomo, pulp, linopy, mip, pyscipopt])
@pytest.mark.filterwarnings("ignore")
def test_the_same_model_with_its_names_read_twice(make: Callable[[], Any]) -> None:
    given = make()
    for _ in range(2):
        _is_toy(problem_of_object(given).model, 0 if make is linopy else 7)


def _is_toy(model: Model, offset: float) -> None:
    assert model.maximize and model.row_names == ("need",) and model.offset == offset
    order = [model.col_names.index(name) for name in ("x", "y")]
    assert model.objective[order].tolist() == [3.0, 1.0]
    assert model.col_upper[order].tolist() == [4.0, 1.0]
    assert model.types[order].tolist() == [VarType.CONTINUOUS, VarType.BINARY]
    assert (model.row_lower.tolist(), model.row_upper.tolist()) == ([6.0], [np.inf])


def optimum(problem: Problem) -> float:
    with Service(inline=True) as service:
        objective = service.solve(problem).objective
    assert objective is not None
    return objective


def test_gurobipy_keeps_names_and_shows_no_column_of_a_range() -> None:
    gp = pytest.importorskip("gurobipy")
    m = gp.Model(env=gp.Env(params={"OutputFlag": 0}))
    x = [m.addVar(ub=5, name=name) for name in ODD]
    m.addRange(gp.quicksum(x), 2, 9, "a range")
    m.addRange(x[0] - x[1], -1, 1)
    m.addConstr(x[0] + x[0] + x[2] <= 8, ODD[0])
    m.addConstr(x[3] >= 1, ODD[0])
    m.setObjective(gp.quicksum((k + 1) * v for k, v in enumerate(x)) + 3, gp.GRB.MAXIMIZE)
    problem = problem_of_object(m)
    model = problem.model
    assert model.col_names == ODD
    assert model.row_names == ("a range", "R1", "x y", "x y#2")
    assert model.row_lower.tolist() == [2, -1, -np.inf, 1]
    assert model.row_upper.tolist() == [9, 1, 8, np.inf]
    assert model.row(2)[1].tolist() == [2, 1]
    m.optimize()
    assert optimum(problem) == pytest.approx(m.ObjVal)


def test_gurobipy_keeps_what_is_not_linear() -> None:
    gp = pytest.importorskip("gurobipy")
    m = gp.Model(env=gp.Env(params={"OutputFlag": 0}))
    x = m.addVars(4, ub=6, name="x")
    on, semi = m.addVar(vtype="B", name="on"), m.addVar(lb=2, ub=5, vtype="S", name="semi")
    m.addConstr((on == 0) >> (x[0] + x[1] <= 3), "tied")
    m.addSOS(gp.GRB.SOS_TYPE2, [x[2], x[0], x[1]], [3, 1, 2])
    m.addConstr(x[0] * x[0] + 2 * x[0] * x[1] + x[2] <= 20, "disk")
    m.addGenConstrPWL(x[3], x[2], [0, 2, 6], [0, 1, 9], "bend")
    m.addGenConstrMax(x[3], [x[0], semi], 1, "most")
    m.addGenConstrMin(x[1], [x[0], semi], name="least")
    m.setObjective(x[0] - on - 0.1 * x[2] * x[2] + semi, gp.GRB.MAXIMIZE)
    problem = problem_of_object(m)
    assert problem.indicators[0].active == 0 and problem.indicators[0].name == "tied"
    assert problem.sos[0].index.tolist() == [0, 1, 2]
    assert problem.quadratic_rows[0].quadratic.value.tolist() == [1, 2]
    bend, most, least = problem.general
    assert (bend.function, bend.numbers) == (GeneralFunction.PWL, (0, 0, 2, 1, 6, 9))
    assert (most.numbers, least.numbers) == ((1,), ())
    assert problem.model.types.tolist()[-2:] == [VarType.BINARY, VarType.SEMICONTINUOUS]
    m.optimize()
    assert optimum(problem) == pytest.approx(m.ObjVal, rel=1e-4)


def test_gurobipy_keeps_several_objectives_and_pieces(capfd: pytest.CaptureFixture[str]) -> None:
    gp = pytest.importorskip("gurobipy")
    m = gp.Model()
    m.Params.OutputFlag = 0
    m.Params.OutputFlag = 1
    x = m.addVars(2, lb=-5, ub=3, name="x")
    m.addConstr(x.sum() >= 2)
    m.setObjectiveN(x[0] + 4, 0, 2, 1.5, 0.1, 0.2, "first")
    m.setObjectiveN(2 * x[1] + 1, 1, 1, name="second")
    capfd.readouterr()
    first, second = problem_of_object(m).objectives
    assert capfd.readouterr().out == "" and m.Params.ObjNumber == 0
    assert (first.name, first.priority, first.weight) == ("first", 2, 1.5)
    assert (first.abs_tol, first.rel_tol, first.offset) == (0.1, 0.2, 4)
    assert second.coefficients.tolist() == [0, 2]
    m = gp.Model(env=gp.Env(params={"OutputFlag": 0}))
    y = m.addVar(ub=4, name="y")
    m.setPWLObj(y, [0, 1, 4], [3, 1, 2])
    problem = problem_of_object(m)
    m.optimize()
    assert optimum(problem) == pytest.approx(m.ObjVal)


def test_gurobipy_formulas_and_scenarios_are_refused() -> None:
    gp = pytest.importorskip("gurobipy")
    m = gp.Model(env=gp.Env(params={"OutputFlag": 0}))
    x = m.addVar(name="x")
    m.addGenConstrNL(x, gp.nlfunc.sin(x), "wave")
    with pytest.raises(DataError, match="'wave' is a nonlinear formula"):
        problem_of_object(m)
    m.NumScenarios = 2
    with pytest.raises(DataError, match="has scenarios"):
        problem_of_object(m)


def test_pyomo_takes_active_parts_and_fixed_variables_as_numbers() -> None:
    po = pytest.importorskip("pyomo.environ")
    m = po.ConcreteModel("plan")
    m.at = po.Set(initialize=["a b", 2])
    m.x = po.Var(m.at, bounds=(0, 4), domain=po.Integers)
    m.held, m.off = po.Var(bounds=(0, 1)), po.Block()
    m.held.fix(3)
    m.off.never = po.Constraint(expr=m.x[2] >= 100)
    m.off.deactivate()
    m.on = po.Block()
    m.on.free = po.Var()
    m.on.need = po.Constraint(m.at, rule=lambda b, i: m.x[i] + m.held * b.free >= 2)
    m.gone = po.Constraint(expr=m.x[2] >= 50)
    m.gone.deactivate()
    m.between = po.Constraint(expr=(1, m.x[2] + 1, m.held))
    m.round = po.Constraint(expr=m.on.free * m.on.free <= 4 + m.held)
    m.worth = po.Objective(expr=m.on.free + m.held, sense=po.minimize)
    m.one = po.SOSConstraint(var=m.x, sos=1)
    problem = problem_of_object(m)
    model = problem.model
    assert set(model.col_names) == {"x[a b]", "x[2]", "on.free"} and model.offset == 3
    assert set(model.row_names) == {"on.need[a b]", "on.need[2]", "between"}
    assert model.row(model.rows["on.need[2]"])[1].tolist() == [1, 3]
    i = model.rows["between"]
    assert (model.row_lower[i], model.row_upper[i]) == (0, 2)
    assert problem.quadratic_rows[0].upper == 7 and len(problem.sos) == 1
    m.held.fix(0.5)
    assert problem_of_object(m).model.row_upper[i] == -0.5


def test_pyomo_says_what_it_cannot_take() -> None:
    po = pytest.importorskip("pyomo.environ")
    from pyomo.gdp import Disjunction

    m = po.ConcreteModel()
    m.x = po.Var(bounds=(0, 4))
    m.a = po.Objective(expr=m.x)
    m.b = po.Objective(expr=-m.x)
    with pytest.raises(DataError, match="'b' is a second active objective"):
        problem_of_object(m)
    m.b.deactivate()
    m.bent = po.Constraint(expr=po.exp(m.x) <= 3)
    with pytest.raises(DataError, match="'bent' is not linear"):
        problem_of_object(m)
    m.bent.deactivate()
    m.either = Disjunction(expr=[[m.x <= 1], [m.x >= 2]])
    with pytest.raises(DataError, match="has a Disjunct"):
        problem_of_object(m)
    po.TransformationFactory("gdp.bigm").apply_to(m)
    assert problem_of_object(m).model.m == 3


def test_pulp_keeps_sets_constants_and_free_variables() -> None:
    pulp = pytest.importorskip("pulp")
    m = pulp.LpProblem("p", pulp.LpMinimize)
    x, y = m.add_variable("x", cat="Integer", upBound=4), m.add_variable("y", 0)
    m += x + y + 3 == 1, "even"
    m += y <= 3
    m.sos2["pair"] = {x: 2, y: 1, m.add_variable("only in a set"): 3}
    problem = problem_of_object(m)
    model = problem.model
    assert model.col_names == ("x", "y", "only_in_a_set") and not model.objective.any()
    assert (model.col_lower[0], model.types[0]) == (-np.inf, VarType.INTEGER)
    assert model.row_names == ("even", "_C1") and model.row_upper.tolist() == [-2, 3]
    assert (problem.sos[0].kind, problem.sos[0].index.tolist()) == (2, [1, 0, 2])


def test_highspy_keeps_products_and_semicontinuous_columns() -> None:
    highs = __import__("highspy")
    h = highs.Highs()
    h.silent()
    x = h.addVariable(lb=1, ub=4, name="x y", type=highs.HighsVarType.kSemiContinuous)
    y = h.addVariable(lb=0, ub=4)
    h.addConstr(1 <= x + 2 * y <= 6, name="n d")
    h.addConstr(y >= -1)
    assert problem_of_object(h).model.types.tolist() == [VarType.SEMICONTINUOUS, 0]
    h.changeColIntegrality(0, highs.HighsVarType.kContinuous)
    form = highs.HighsHessian()
    form.dim_, form.format_ = 2, highs.HessianFormat.kTriangular
    form.start_, form.index_ = np.array([0, 2, 3]), np.array([0, 1, 1])
    form.value_ = np.array([2.0, -1.0, 2.0])
    h.passHessian(form)
    problem = problem_of_object(h)
    assert problem.model.col_names == ("x y", "c1") and problem.model.row_names == ("n d", "r1")
    h.run()
    assert optimum(problem) == pytest.approx(h.getObjectiveValue(), abs=1e-5)


@pytest.mark.filterwarnings("ignore")
def test_linopy_names_are_those_that_it_prints() -> None:
    pytest.importorskip("linopy")
    pd = pytest.importorskip("pandas")
    m = linopy()
    at = pd.Index(["a b", "c"], name="at")
    flow = m.add_variables(lower=1, upper=9, coords=[at], name="flow 1", integer=True)
    m.add_constraints(flow.sum() <= 5, name="sum")
    m.add_constraints(flow >= 2, name="each")
    steps = m.add_variables(lower=0, upper=9, coords=[pd.Index([5, 6, 7], name="k")], name="z")
    m.add_sos_constraints(steps, 2, "k")
    m.add_indicator_constraints(m.variables["y"], 1, flow <= 3, name="tied")
    problem = problem_of_object(m)
    assert problem.model.col_names[2:4] == ("flow 1[a b]", "flow 1[c]")
    assert problem.model.row_names == ("need", "sum", "each[a b]", "each[c]")
    assert problem.model.types.tolist()[:4] == [0, VarType.BINARY, 1, 1]
    assert problem.sos[0].weights.tolist() == [5, 6, 7]
    assert [part.name for part in problem.indicators] == ["tied[a b]", "tied[c]"]


def test_pyscipopt_shows_none_of_its_slacks_before_and_after_a_solve() -> None:
    scip = pytest.importorskip("pyscipopt")
    m = scip.Model()
    x, y = m.addVar("x", vtype="B"), m.addVar("y z", lb=None, ub=4)
    z, again = m.addVar("z", lb=-1, ub=3), m.addVar("y z", ub=2)
    m.addCons(x + y + again <= 5, "c 1")
    m.addConsIndicator(y + 2 * z <= 1, x, name="on")
    m.addConsIndicator(y + z <= -3, x, activeone=False, name="off")
    m.addConsSOS2([x, again, z], name="pair")
    m.addCons(again * again + y * z <= 3, "disk")
    m.setObjective(3 * x + y + again + 7, "maximize")
    before = problem_of_object(m)
    assert sorted(before.model.col_names) == ["x", "y z", "y z#2", "z"]
    assert before.model.row_names == ("c 1",)
    assert [(part.name, part.active) for part in before.indicators] == [("on", 1), ("off", 0)]
    assert len(before.sos) == len(before.quadratic_rows) == 1
    m.hideOutput()
    m.optimize()
    assert optimum(problem_of_object(m)) == pytest.approx(m.getObjVal(), abs=1e-4)
    m.freeTransform()
    m.addConsOr([x], x, "or")
    with pytest.raises(DataError, match="'or' is of kind 'or'"):
        problem_of_object(m)


def test_cvxpy_in_its_standard_form() -> None:
    cp = pytest.importorskip("cvxpy")
    x, y = cp.Variable(2, name="x"), cp.Variable(name="y", boolean=True)
    goal = cp.Maximize(3 * x[0] + 2 * x[1] + y + 7)
    parts = [x[0] + x[1] <= 4, x >= 0, x[0] - y == 1]
    model = problem_of_object(cp.Problem(goal, parts)).model
    assert (model.maximize, model.offset) == (True, 7.0)
    assert model.col_names == ("x[0]", "x[1]", "y") and model.objective.tolist() == [3, 2, 1]
    assert (model.m, model.row_lower[0], model.row_upper[0]) == (4, 1.0, 1.0)
    with pytest.raises(DataError, match="not linear"):
        problem_of_object(cp.Problem(cp.Minimize(cp.sum_squares(x))))


def without_highspy(code: str) -> str:
    """What a program prints: OR-Tools' and highspy's libraries do not live in one process."""
    if importlib.util.find_spec("ortools") is None:
        pytest.skip("OR-Tools is not installed")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert not done.stderr, done.stderr[-800:]
    return done.stdout


LINEAR = """
s = pywraplp.Solver.CreateSolver("SCIP")
x, y = s.IntVar(0, 10, "ship x"), s.NumVar(-s.infinity(), 4, "ship x")
s.Add(2 <= x + 2 * y, "need it")
s.Maximize(x + 3 * y + 5)
m = read(s)
print(m.col_names, m.row_names, m.maximize, m.offset, m.objective.tolist(), m.types.tolist())
"""


@pytest.mark.parametrize("first", ["import ordojo\nread = ordojo.read_model\n", ""])
def test_ortools_in_any_order_of_imports(first: str) -> None:
    code = f"{first}from ortools.linear_solver import pywraplp\nimport ordojo\n"
    code += f"read = ordojo.read_model\n{LINEAR}"
    code += "try:\n    ordojo.solve(m)\nexcept ordojo.OrdojoError as error:\n    print(error)\n"
    model, refusal = without_highspy(code).splitlines()
    names = "('ship x', 'ship x#2') ('need it',) True 5.0 [1.0, 3.0] [1, 0]"
    assert model == names and refusal.startswith("OR-Tools' and highspy's native libraries")


def test_ortools_models_of_cp_sat_and_modelbuilder() -> None:
    code = """
from ortools.linear_solver.python import model_builder
from ortools.sat.python import cp_model
from ordojo.milp.objects import problem_of_object
b = model_builder.Model()
x = b.new_int_var(0, 4, "a b")
b.add(x + b.new_num_var(0, 4.5, "y") >= 2, "r")
b.minimize(x + 2)
m = problem_of_object(b).model
print(m.col_names, m.row_names, m.offset)
c = cp_model.CpModel()
a, z, w = c.new_int_var(0, 5, "a b"), c.new_bool_var("z"), c.new_bool_var("w")
c.add(a + z <= 4).with_name("r r")
c.add(a >= 2).only_enforce_if(~z)
c.add_bool_or(z, ~w)
c.add_exactly_one(z, w)
c.maximize(2 * a - z + 3)
p = problem_of_object(c)
m, tied = p.model, p.indicators[0]
print(m.col_names, m.row_names, m.maximize, m.offset, m.objective.tolist())
print(m.row_lower.tolist(), m.row_upper.tolist(), m.value.tolist())
print(tied.binary, tied.active, tied.lower)
c.add(a != 3)
try:
    problem_of_object(c)
except Exception as error:
    print(error)
d = cp_model.CpModel()
d.add_all_different(d.new_int_var(0, 5, "a"), d.new_int_var(0, 5, "b"))
try:
    problem_of_object(d)
except Exception as error:
    print(error)
"""
    assert without_highspy(code).splitlines() == [
        "('a b', 'y') ('r',) 2.0",
        "('a b', 'z', 'w') ('r r', 'c2', 'c3') True 3.0 [2.0, -1.0, 0.0]",
        "[-inf, 0.0, 1.0] [4.0, inf, 1.0] [1.0, 1.0, 1.0, -1.0, 1.0, 1.0]",
        "1 0 2.0",
        "'c4' (over a b) of the CP-SAT model has a domain with holes (!=); write it as rows",
        "'c0' of the CP-SAT model (all_diff) is not linear and no clause; write it as rows",
    ]


def test_what_is_no_model() -> None:
    class Model:
        pass

    for thing in (Model(), 3, None):
        with pytest.raises(DataError, match="is no model; give a path"):
            problem_of_object(thing)
    with pytest.raises(DataError, match="has no column"):
        problem_of_object(__import__("highspy").Highs())
