"""Solvers that programs name: answered under that name wherever the program runs, and on record."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ordojo.benchmarks.nl2opt.reading import AnswerOutcome, read_run
from ordojo.cli import cli
from ordojo.compat.capture import lent_sandbox
from ordojo.compat.named import from_words, parameters
from ordojo.compat.service import Service, SolverLimits
from ordojo.sandbox import Sandbox


@pytest.fixture(scope="module")
def sandbox() -> Any:
    with lent_sandbox("auto", 60.0) as opened:
        yield opened


def run(sandbox: Sandbox, program: str, solver: str = "open") -> tuple[str, Service]:
    """What a program prints, and the service that has answered it."""
    with Service(SolverLimits(seconds=60.0), solver=solver) as service:
        service.kept = 8
        done = sandbox.run(program, handler=service.handle)
    assert done.ok, done.stderr
    return done.stdout, service


PULP = """
import pulp, warnings
warnings.simplefilter("ignore")
def model(sense=pulp.LpMaximize, cat="Integer"):
    p = pulp.LpProblem("p", sense)
    x, y = (pulp.LpVariable(n, 0, 4, cat=cat) for n in "xy")
    p += sense * (-3 * x - 4 * y) + 1
    p += x + 2 * y <= 7.5, "cap"
    p += x >= 0.25, "low"
    return p
"""
PYOMO = """
from pyomo.environ import *
def model(domain=NonNegativeIntegers, rhs=7.5):
    m = ConcreteModel()
    m.x, m.y = Var(domain=domain, bounds=(0, 4)), Var(domain=domain, bounds=(0, 4))
    m.o = Objective(expr=3 * m.x + 4 * m.y, sense=maximize)
    m.cap = Constraint(expr=m.x + 2 * m.y <= rhs)
    m.low = Constraint(expr=m.x >= 0.25)
    return m
"""

LOG = "from contextlib import redirect_stdout\nfrom io import StringIO\n"

PULP_NAMES = """
PULP_CBC_CMD COIN_CMD GLPK_CMD PYGLPK CPLEX_CMD CPLEX_PY GUROBI_CMD MOSEK XPRESS XPRESS_PY SCIP_CMD
FSCIP_CMD HiGHS_CMD COPT_CMD CHOCO_CMD MIPCL_CMD CyLP SAS94 CUOPT
"""
PYOMO_NAMES = """
glpk cbc cplex cplex_direct cplex_persistent appsi_cbc scip xpress mosek ipopt bonmin couenne baron
knitro gams
"""


def test_each_of_pulps_names(sandbox: Sandbox) -> None:
    body = f"""
for name in {PULP_NAMES.split()}:
    p, solver = model(), pulp.getSolver(name, msg=False)
    assert solver.available() and p.solve(solver) == 1 and p.sol_status == 1
    assert pulp.value(p.objective) == 18.0
"""
    _, service = run(sandbox, PULP + body)
    told = [one for one in service.records if one.library]
    assert [one.detail for one in told] == [f"{n}, answered by HiGHS" for n in PULP_NAMES.split()]
    assert {(one.ending, one.objective, one.maximize) for one in told} == {("optimal", 18.0, True)}
    ours = [one for one in service.records if not one.library]
    assert {(one.solver, one.objective) for one in ours} == {("highs", 18.0)}
    assert len(ours) == len(told)


def test_each_of_pyomos_names(sandbox: Sandbox) -> None:
    body = f"""
for name in {PYOMO_NAMES.split()}:
    m, solver = model(), SolverFactory(name, executable="/nowhere/" + name)
    assert solver.available()
    if name.endswith("_persistent"):
        solver.set_instance(m)
    found = solver.solve(m)
    assert found.solver.termination_condition == TerminationCondition.optimal
    assert found.solver.status == SolverStatus.ok and found.solver.name == name
    assert found.solver.message == name + ", answered by HiGHS", found.solver.message
    print(name, round(value(m.o), 6))
"""
    stdout, service = run(sandbox, PYOMO + body)
    relaxed = {"ipopt": "19.0"}  # to it whole numbers are any
    assert stdout.split("\n")[:-1] == [f"{n} {relaxed.get(n, '17.0')}" for n in PYOMO_NAMES.split()]
    told = [one.detail for one in service.records if one.library]
    assert told == [f"{name}, answered by HiGHS" for name in PYOMO_NAMES.split()]
    assert {one.solver for one in service.records if not one.library} == {"highs"}


@pytest.mark.parametrize("solver", ["scip", "highs"])
def test_the_service_s_solver_answers(sandbox: Sandbox, solver: str) -> None:
    body = "m = model()\nprint(SolverFactory('cbc').solve(m).solver.message, value(m.o))"
    spelled = {"scip": "SCIP", "highs": "HiGHS"}[solver]
    assert run(sandbox, PYOMO + body, solver)[0] == f"cbc, answered by {spelled} 17.0\n"


def test_prices_are_those_of_the_real_command(sandbox: Sandbox) -> None:
    """As the CBC that PuLP brings gives them, of a mixed-integer one with its integers fixed."""
    body = """
def shown(p):
    p.solve(pulp.PULP_CBC_CMD(msg=0))
    rows = [(c.pi, c.slack) for c in p.constraints.values()]
    return [tuple(round(v, 6) + 0.0 for v in pair) for pair in
            [*rows, *((v.varValue, v.dj) for v in p.variables())]]
print(shown(model(cat="Continuous")))
print(shown(model(pulp.LpMinimize, "Continuous")))
print(shown(model()))
"""
    real = [
        [(2.0, 0.0), (0.0, -3.75), (4.0, 1.0), (1.75, 0.0)],
        [(-2.0, 0.0), (0.0, -3.75), (4.0, -1.0), (1.75, 0.0)],
        [(0.0, 0.5), (0.0, -2.75), (3.0, 3.0), (2.0, 4.0)],
    ]
    lines = run(sandbox, PULP + body)[0].splitlines()
    assert [json.loads(line.replace("(", "[").replace(")", "]")) for line in lines] == [
        [list(pair) for pair in shown] for shown in real
    ]


def test_duals_of_pyomo(sandbox: Sandbox) -> None:
    body = """
m = model(NonNegativeReals)
m.dual, m.rc, m.slack, m.ipopt_zL_out = (Suffix(direction=Suffix.IMPORT) for _ in range(4))
SolverFactory("ipopt").solve(m)
print(m.dual[m.cap], m.rc[m.x], m.slack[m.low])
"""
    assert run(sandbox, PYOMO + body)[0] == "2.0 1.0 -3.75\n"


def test_ends_without_a_point(sandbox: Sandbox) -> None:
    body = """
p = model(); p += pulp.lpSum(p.variables()) >= 9
print(p.solve(pulp.GLPK(msg=0)), p.sol_status, f"{pulp.value(p.objective):g}")
p = pulp.LpProblem("u", pulp.LpMaximize); p += pulp.LpVariable("x", 0, cat="Integer")
print(p.solve(pulp.PULP_CBC_CMD(msg=0)), p.sol_status)
"""
    assert run(sandbox, PULP + body)[0] == "-1 -1 1\n-2 -2\n"
    body = """
m = model(rhs=0.1)
found = SolverFactory("cbc").solve(m, load_solutions=False)
print(found.solver.termination_condition, check_optimal_termination(found), m.x.value)
"""
    assert run(sandbox, PYOMO + body)[0] == "infeasible False None\n"


def test_limits_and_logs_are_taken_over(sandbox: Sandbox) -> None:
    body = """
model().solve(pulp.PULP_CBC_CMD(msg=0, timeLimit=7, gapRel=0.25, threads=2))
model().solve(pulp.GLPK_CMD(msg=0, options=["--tmlim", "8", "--mipgap", "0.125"]))
model().solve(pulp.GUROBI_CMD(msg=0, options=[("TimeLimit", 9), ("MIPGap", 0.5)], logPath="a.log"))
print(open("a.log").read().count("rows"))
for shown in (True, False):
    with redirect_stdout(StringIO()) as log:
        model().solve(pulp.COIN_CMD(msg=shown))
    print(log.getvalue().count("rows"))
"""
    stdout, service = run(sandbox, LOG + PULP + body)
    settings = [problem.settings for problem, _ in service.problems]
    assert [(s.time_limit, s.mip_gap) for s in settings[:3]] == [(7, 0.25), (8, 0.125), (9, 0.5)]
    assert stdout == "1\n1\n0\n"
    body = """
SolverFactory("cbc").solve(model(), timelimit=7, options={"ratioGap": 0.25})
SolverFactory("glpk").solve(model(), options_string="tmlim=8 mipgap=0.125", logfile="a.log")
solver = SolverFactory("cplex")
solver.options["timelimit"], solver.options["mip_tolerances_mipgap"] = 9, 0.5
solver.solve(model(), keepfiles=False, warmstart=True)
print(open("a.log").read().count("rows"))
for shown in (True, False):
    with redirect_stdout(StringIO()) as log:
        SolverFactory("scip").solve(model(), tee=shown)
    print(log.getvalue().count("rows"))
"""
    stdout, service = run(sandbox, LOG + PYOMO + body)
    settings = [problem.settings for problem, _ in service.problems]
    assert [(s.time_limit, s.mip_gap) for s in settings[:3]] == [(7, 0.25), (8, 0.125), (9, 0.5)]
    assert stdout == "1\n1\n0\n"


def test_how_limits_are_called() -> None:
    assert parameters({"limits/time": 3, "limits/gap": "0.1", "seed": 4, "sec": "soon"}) == {
        "TimeLimit": 3.0,
        "MIPGap": 0.1,
    }
    words = ["-c", "set mip tolerances mipgap 0.2", "sec 5", ("MIPGapAbs", 1), "allow=2", "--cuts"]
    assert from_words(words) == {"MIPGap": 0.2, "TimeLimit": 5.0, "MIPGapAbs": 2.0}


NONLINEAR = """
from pyomo.environ import *
m = ConcreteModel()
m.x = Var(bounds=(1, 3))
m.o = Objective(expr=log(m.x), sense=maximize)
SolverFactory("ipopt").solve(m)
print(value(m.o))
"""


def reading(sandbox: Sandbox, program: str) -> Any:
    with Service(SolverLimits(seconds=60.0)) as service:
        done = sandbox.run(program, handler=service.handle)
    ended = {"outcome": done.outcome.value, "stdout": done.stdout, "exception": done.exception}
    return read_run({**ended, "message": ""}, [one.to_json() for one in service.records])


def test_what_cannot_be_answered_is_unsupported_and_no_error_of_the_program(
    sandbox: Sandbox,
) -> None:
    found = reading(sandbox, NONLINEAR)
    assert found.outcome is AnswerOutcome.UNSUPPORTED
    assert found.detail == "ipopt for a nonlinear model"
    # What the real ones refuse, and names that there are none of, remain the program's own fault.
    for name in ("glpk", "cplex", "nosuchsolver"):
        found = reading(sandbox, NONLINEAR.replace("ipopt", name))
        assert found.outcome is AnswerOutcome.NOT_EXECUTABLE
    cone = """
import cvxpy as cp
x = cp.Variable(integer=True)
cp.Problem(cp.Maximize(x), [cp.exp(x) <= 9]).solve(solver=cp.MOSEK)
"""
    assert reading(sandbox, cone).outcome is AnswerOutcome.UNSUPPORTED


def test_parts_that_are_no_rows_are_not_left_out(sandbox: Sandbox) -> None:
    program = """
from pyomo.environ import *
from pyomo.gdp import Disjunction
m = ConcreteModel()
m.x = Var(bounds=(0, 10))
m.o = Objective(expr=m.x, sense=maximize)
m.d = Disjunction(expr=[[m.x <= 2], [m.x <= 5]])
try:
    SolverFactory("glpk").solve(m)
except ValueError as error:
    print("Disjunction" in str(error))
TransformationFactory("gdp.bigm").apply_to(m)
SolverFactory("glpk").solve(m)
print(value(m.o))
"""
    assert run(sandbox, program)[0] == "True\n5.0\n"


OTHERS = """
from ortools.linear_solver import pywraplp
from ortools.linear_solver.python import model_builder
from ortools.math_opt.python import mathopt
for name in ("CPLEX", "GUROBI_MIP", "GLPK_LP", "XPRESS_LINEAR_PROGRAMMING"):
    s = pywraplp.Solver.CreateSolver(name)
    x = s.NumVar(0, 3.5, "x") if "_L" in name else s.IntVar(0, 3.5, "x")
    s.Maximize(2 * x)
    assert s.Solve() == 0
    print(s.Objective().Value())
s = pywraplp.Solver("s", pywraplp.Solver.GUROBI_MIXED_INTEGER_PROGRAMMING)
s.Maximize(2 * s.IntVar(0, 3.5, "x"))
s.Solve()
m = model_builder.Model()
m.maximize(2 * m.new_int_var(0, 3.5, "x"))
model_builder.Solver("gurobi").solve(m)
m = mathopt.Model()
m.maximize(2 * m.add_integer_variable(lb=0, ub=3.5))
mathopt.solve(m, mathopt.SolverType.GUROBI)
"""


def test_or_tools_and_cvxpy(sandbox: Sandbox) -> None:
    stdout, service = run(sandbox, OTHERS)
    assert stdout == "6.0\n6.0\n7.0\n7.0\n"
    assert [one.objective for one in service.records] == [6.0, 6.0, 7.0, 7.0, 6.0, 6.0, 6.0]
    assert [one.detail for one in service.records] == [
        "CPLEX, answered by SCIP",
        "GUROBI_MIP, answered by SCIP",
        "GLPK_LP, answered by GLOP",
        "XPRESS_LINEAR_PROGRAMMING, answered by GLOP",
        "GUROBI_MIXED_INTEGER_PROGRAMMING, answered by SCIP",
        "gurobi, answered by SCIP",
        "",
    ]
    program = """
import cvxpy as cp
x = cp.Variable(2, integer=True)
cp.Problem(cp.Maximize(cp.sum(x)), [x <= 2.5]).solve(solver=cp.GLPK_MI, glpk={"tmlim": 9})
y = cp.Variable(2)
cp.Problem(cp.Minimize(cp.norm(y - 1)), [y[0] == 4, y[1] == 5]).solve(cp.ECOS, abstol=1e-9)
cp.Problem(cp.Maximize(cp.sum(y)), [y <= 2.5]).solve()
"""
    told = [one for one in run(sandbox, program)[1].records if one.library]
    assert [(one.detail, round(one.objective or 0, 4)) for one in told] == [
        ("GLPK_MI, answered by HIGHS", 4.0),
        ("ECOS, answered by CLARABEL", 5.0),
        ("", 5.0),
    ]


def test_commands_on_the_path_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Commands that fail, first on this process's PATH, are found by no library in a program."""
    for name in ("cbc", "glpsol", "highs", "gurobi_cl", "scip", "ipopt", "cplex"):
        command = tmp_path / name
        command.write_text(f"#!/bin/sh\necho {name} >> {tmp_path}/called\nexit 3\n")
        command.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    program = f"""
import os, shutil
print(os.environ["PATH"], "{tmp_path}" in str(shutil.which("cbc")))
{PULP}
p = model()
p.solve()
print(pulp.value(p.objective))
{PYOMO}
for name in ("cbc", "glpk", "scip", "ipopt", "highs", "appsi_cbc"):
    m = model()
    SolverFactory(name).solve(m)
"""
    with lent_sandbox("auto", 60.0) as opened:
        stdout, service = run(opened, program)
    lines = stdout.splitlines()
    assert lines[0] == "/usr/bin:/bin False" and lines[-1] == "18.0"
    assert not (tmp_path / "called").exists()
    told = [one for one in service.records if one.library]
    assert [round(one.objective or 0, 6) for one in told] == [18, 17, 17, 17, 19, 17, 17]


STAR = """from pyomo.environ import *
m=ConcreteModel(); m.r=Var(domain=NonNegativeIntegers); m.s=Var(domain=NonNegativeIntegers)
m.o=Objective(expr=3*m.r+4*m.s,sense=maximize); m.c=Constraint(expr=2*m.r+3*m.s<=40)
m.d=Constraint(expr=3*m.r+5*m.s<=70)
SolverFactory('gurobi').solve(m)
print("optimal_value =", value(m.o))
"""
CONFLICT = """import pyomo.environ as pyo
m=pyo.ConcreteModel()
m.x=pyo.Var(bounds=(0,1))
m.c=pyo.Constraint(expr=m.x>=2)
m.o=pyo.Objective(expr=m.x)
pyo.SolverFactory("appsi_highs").solve(m)
"""


NAMES = ["gurobi", "glpk", "cbc", "highs", "appsi_highs"]


@pytest.mark.parametrize("name", NAMES[:2])
def test_run_and_explain(tmp_path: Path, name: str) -> None:
    program = tmp_path / "star.py"
    program.write_text(STAR.replace("'gurobi'", repr(name)))
    done = CliRunner().invoke(cli, ["run", str(program), "--json"])
    assert done.exit_code == 0 and "optimal_value = 60.0" in json.loads(done.stdout)["stdout"]
    told = CliRunner().invoke(cli, ["explain", str(program)])
    assert told.exit_code == 0 and "its optimum is 60" in told.stdout


def test_grade(tmp_path: Path) -> None:
    data, answers = tmp_path / "data.jsonl", tmp_path / "answers.jsonl"
    item = {"question": "How much?", "answer": 60}
    data.write_text("".join(json.dumps({"id": name, **item}) + "\n" for name in NAMES))
    replies = {name: f"```python\n{STAR.replace('gurobi', name)}```" for name in NAMES}
    lines = [json.dumps({"id": name, "completion": text}) for name, text in replies.items()]
    answers.write_text("\n".join(lines))
    words = ["grade", str(answers), "--dataset", str(data), "--runs", str(tmp_path / "runs")]
    done = CliRunner().invoke(cli, [*words, "--json", "--processes", "1"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["rules"]["strict-1e-6"]["pass@1"]["value"] == 1.0


@pytest.mark.parametrize("name", ["appsi_highs", "cbc"])
def test_a_conflict_is_explained(tmp_path: Path, name: str) -> None:
    program = tmp_path / "conflict.py"
    program.write_text(CONFLICT.replace("appsi_highs", name))
    told = CliRunner().invoke(cli, ["explain", str(program), "--json"])
    assert told.exit_code == 0, told.output
    assert json.loads(told.stdout)["status"].lower() == "infeasible"


def test_how_pyomos_solvers_are_asked_for(sandbox: Sandbox) -> None:
    program = (
        PYOMO
        + """
ways = [("gurobi", {"solver_io": io}) for io in ("python", "lp", "mps", "nl", "direct")]
ways += [("cplex", {"solver_io": io}) for io in ("lp", "nl", "python")]
ways += [("asl:bonmin", {}), ("asl", {"solver": "couenne"}), ("highs", {}), ("appsi_gurobi", {})]
ways += [("gurobi", {"executable": "/opt/gurobi/gurobi.sh"}), ("gurobi_direct", {})]
for name, words in ways:
    m = model()
    SolverFactory(name, **words).solve(m)
    assert value(m.o) == 17.0
for name, words in (("gurobi_persistent", {}), ("cplex", {"solver_io": "persistent"})):
    m, solver = model(), SolverFactory(name, **words)
    solver.set_instance(m)
    solver.solve()
    m.e = Constraint(expr=m.x <= 1)
    solver.add_constraint(m.e)
    solver.solve(tee=False)
    print(value(m.o))
"""
    )
    assert run(sandbox, program)[0] == "15.0\n15.0\n"


def test_pyomos_other_doors(sandbox: Sandbox) -> None:
    """Classes, the new interfaces, and the NEOS server."""
    program = (
        PYOMO
        + """
from pyomo.contrib import appsi
from pyomo.contrib.solver.common.factory import SolverFactory as New
for kind in (appsi.solvers.Cbc, appsi.solvers.Cplex):
    solver = kind()
    solver.config.time_limit = 5
    print(solver.available() > 0, solver.solve(model()).best_feasible_objective)
print(New("ipopt").solve(model()).incumbent_objective)
m = model()
with SolverManagerFactory("neos") as manager:
    manager.solve(m, opt="cplex")
    manager.solve(m, solver=SolverFactory("cbc"), keepfiles=False)
print(value(m.o))
m.e = Constraint(expr=exp(m.x) <= 9)
for call in (New("ipopt").solve, appsi.solvers.Ipopt().solve):
    try:
        call(m)
    except NotImplementedError as error:
        print(error)
"""
    )
    stdout, service = run(sandbox, program)
    said = "ipopt for a nonlinear model is not supported here"
    assert stdout.startswith("True 17.0\nTrue 17.0\n17.0\n17.0\n" + said)
    assert stdout.count(said) == 2
    names = ["cbc", "cplex", "ipopt", "cplex", "cbc"]
    told = [one.detail for one in service.records if one.library]
    assert told[:5] == [f"{name}, answered by HiGHS" for name in names]
    assert [one.ending for one in service.records[-2:]] == ["unsupported"] * 2
