"""What a library prints while it solves is its log; what the program prints is its output."""

from collections.abc import Iterator

import pytest

from ordojo.compat.capture import lent_sandbox
from ordojo.compat.service import Service, SolverLimits
from ordojo.sandbox import Execution, Sandbox

GUROBI = """import gurobipy as gp
m = gp.Model()
x = m.addVar(ub=4, name="x")
m.setObjective(9 * x, gp.GRB.MAXIMIZE)
"""
COPT = """import coptpy as cp
m = cp.Envr().createModel()
x = m.addVar(ub=4)
m.setObjective(9 * x, cp.COPT.MAXIMIZE)
m.setParam("TimeLimit", 10)
m.solve()
print("answer", m.objval)
"""
PYOMO = """import pyomo.environ as pyo
m = pyo.ConcreteModel()
m.x = pyo.Var(bounds=(0, 4))
m.o = pyo.Objective(expr=9 * m.x, sense=pyo.maximize)
pyo.SolverFactory("appsi_highs").solve(m, tee=True)
print("answer", pyo.value(m.o))
"""
PULP = """import pulp
m = pulp.LpProblem("m", pulp.LpMaximize)
x = pulp.LpVariable("x", 0, 4)
m += 9 * x
m.solve(pulp.HiGHS(msg=True))
print("answer", pulp.value(m.objective))
"""
SCIP = """from pyscipopt import Model
m = Model()
x = m.addVar("x", ub=4)
m.setObjective(9 * x, "maximize")
m.optimize()
print("answer", m.getObjVal())
"""
HIGHS = """import highspy
h = highspy.Highs()
x = h.addVariable(0, 4)
h.maximize(9 * x)
print("answer", h.getObjectiveValue())
"""
LINEAR = """from ortools.linear_solver import pywraplp
m = pywraplp.Solver.CreateSolver("SCIP")
m.EnableOutput()
x = m.NumVar(0, 4, "x")
m.Maximize(9 * x)
m.Solve()
print("answer", m.Objective().Value())
"""
CVXPY = """import cvxpy as cp
x = cp.Variable()
p = cp.Problem(cp.Maximize(9 * x), [x <= 4, x >= 0])
p.solve(solver="CLARABEL", verbose=True)
print("answer", round(p.value, 6))
"""
SCIPY = """from scipy.optimize import linprog
found = linprog([-9], bounds=[(0, 4)], options={"disp": True})
print("answer", -found.fun)
"""
LOUD = {
    "gurobipy": GUROBI + 'm.optimize()\nprint("answer", m.ObjVal)\n',
    "coptpy": COPT,
    "Pyomo": PYOMO,
    "PuLP": PULP,
    "PySCIPOpt": SCIP,
    "highspy": HIGHS,
    "OR-Tools": LINEAR,
    "cvxpy": CVXPY,
    "scipy": SCIPY,
}


@pytest.fixture(scope="module")
def place() -> Iterator[Sandbox]:
    with lent_sandbox("auto", 30.0) as sandbox:
        yield sandbox


def ran(place: Sandbox, program: str, shown: list[bytes] | None = None) -> Execution:
    with Service(SolverLimits(seconds=20, total_seconds=20)) as service:
        done = place.run(
            program,
            handler=service.handle,
            echo=lambda error, data: None if error or shown is None else shown.append(data),
        )
    assert done.ok, (done.detail, done.stderr)
    return done


@pytest.mark.parametrize("library", LOUD)
def test_a_solvers_log_is_not_the_programs_output(place: Sandbox, library: str) -> None:
    shown: list[bytes] = []
    done = ran(place, LOUD[library], shown)
    assert done.stdout == "answer 36.0\n"
    assert "36" in done.log or "3.6" in done.log
    assert b"".join(shown).decode() == done.log + done.stdout


def test_the_log_keeps_its_place_where_it_is_shown(place: Sandbox) -> None:
    shown: list[bytes] = []
    rounds = "for k in range(20):\n    m.optimize()\n    print('round', k)\n"
    done = ran(place, GUROBI + "print('begin')\n" + rounds, shown)
    assert done.stdout == "begin\n" + "".join(f"round {k}\n" for k in range(20))
    one, *others = done.log.split("ordojo solves a gurobipy model\n")
    assert one == "" and len(others) == 20
    lines = b"".join(shown).decode().splitlines()
    told = [line for line in lines if line.startswith(("begin", "round", "Optimal objective"))]
    assert told == [
        "begin",
        *(x for k in range(20) for x in ("Optimal objective  3.600000000e+01", f"round {k}")),
    ]


def test_what_the_program_asks_to_see_is_output(place: Sandbox) -> None:
    done = ran(
        place,
        GUROBI + "m.optimize()\nm.printAttr('X')\nm.message('said')\n"
        "import os\nos.write(1, b'raw\\n')\nos.system('echo below')\n",
    )
    assert done.stdout.splitlines()[1:] == [
        "    Variable            X ",
        "-" * 25,
        "           x            4 ",
        "said",
        "raw",
        "below",
    ]


def test_a_log_that_is_captured_is_the_programs(place: Sandbox) -> None:
    quiet = (
        "import contextlib, io\nheld = io.StringIO()\n"
        "with contextlib.redirect_stdout(held):\n    m.optimize()\n"
    )
    done = ran(place, GUROBI + quiet + "print(held.getvalue().count('Optimal objective'))\n")
    assert (done.stdout, done.log) == ("1\n", "")


def test_what_a_callback_prints_is_output(place: Sandbox) -> None:
    program = """from ortools.sat.python import cp_model
m, s = cp_model.CpModel(), cp_model.CpSolver()
x = m.new_int_var(0, 4, "x")
m.maximize(9 * x)
class Seen(cp_model.CpSolverSolutionCallback):
    def on_solution_callback(self):
        print("seen", self.objective_value)
s.parameters.log_search_progress = True
s.solve(m, Seen())
"""
    done = ran(place, program)
    assert done.stdout.splitlines()[-1] == "seen 36.0" and "seen" not in done.log
    assert "CP-SAT" in done.log


def test_a_log_is_bounded_as_output_is(place: Sandbox) -> None:
    """Nor can it be asked without end that output be taken."""
    flood = "from ordojo.sandbox import channel\n"
    with Service(SolverLimits(seconds=5, total_seconds=5)) as service:
        much = place.run(flood + "while True: channel.log('x' * 9999)", handler=service.handle)
        many = place.run(flood + "while True: channel.send(b'S', b'')", handler=service.handle)
    assert much.outcome == "output_limit" and len(much.log) <= place.limits.output
    assert many.outcome == "bad_frame"


def test_a_program_that_closes_the_log_goes_on(place: Sandbox) -> None:
    done = ran(place, GUROBI + "import os\nos.close(4)\nm.optimize()\nprint(m.ObjVal)\n")
    assert done.stdout == "36.0\n"
