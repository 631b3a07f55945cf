"""The libraries that programs in the sandbox may count on, each with a small program of its own.

A small program solves as programs do: with the library's default solver, or those that most
programs name.
"""

from collections.abc import Mapping
from typing import NamedTuple

SHADOWS: Mapping[str, str] = {
    "gurobipy": "ordojo.compat.gurobipy",
    "coptpy": "ordojo.compat.coptpy",
}
"""What stands for a library in the sandbox, by the name that programs import."""

DECLARED: Mapping[str, str] = {
    "numpy": "numpy",
    "scipy": "scipy",
    "pandas": "pandas",
    "highspy": "highspy",
    "PySCIPOpt": "pyscipopt",
    "PuLP": "pulp",
    "Pyomo": "pyomo",
    "ortools": "ortools",
    "cvxpy": "cvxpy",
}
"""Each library by its name in the package index, with the module that programs import.

docplex is none: CPLEX, which it solves with, is free to 1,000 variables and rows alone, so that
what is asked would be decided by a licence.
"""


class SmallProgram(NamedTuple):
    """The text of a program, and the optimum that it prints and has on record.

    `library` is the package that it needs by its name in the index, "" for ordojo's own layers.
    """

    library: str
    text: str
    objective: float = 60.0


_GUROBIPY = """
import gurobipy as gp
from gurobipy import GRB
m = gp.Model()
m.Params.OutputFlag = 0
x, y = (m.addVar(vtype=GRB.INTEGER, name=n) for n in "xy")
m.setObjective(3 * x + 4 * y, GRB.MAXIMIZE)
m.addConstr(2 * x + 3 * y <= 40)
m.optimize()
print(m.ObjVal)
"""

_COPTPY = """
import coptpy as cp
from coptpy import COPT
m = cp.Envr().createModel()
m.setParam("Logging", 0)
x, y = (m.addVar(vtype=COPT.INTEGER, name=n) for n in "xy")
m.setObjective(3 * x + 4 * y, COPT.MAXIMIZE)
m.addConstr(2 * x + 3 * y <= 40)
m.solve()
print(m.objval)
"""

_PULP = """
import pulp
p = pulp.LpProblem("small", pulp.LpMaximize)
x, y = (pulp.LpVariable(n, 0, cat="Integer") for n in "xy")
p += 3 * x + 4 * y
p += 2 * x + 3 * y <= 40
p.solve()
print(pulp.value(p.objective))
"""

_PYOMO = """
from pyomo.environ import *
m = ConcreteModel()
m.x, m.y = Var(domain=NonNegativeIntegers), Var(domain=NonNegativeIntegers)
m.o = Objective(expr=3 * m.x + 4 * m.y, sense=maximize)
m.c = Constraint(expr=2 * m.x + 3 * m.y <= 40)
for name in ("glpk", "gurobi", "appsi_highs"):
    SolverFactory(name).solve(m)
print(value(m.o))
"""

_LINEAR_SOLVER = """
from ortools.linear_solver import pywraplp
s = pywraplp.Solver.CreateSolver("SCIP")
x, y = (s.IntVar(0, s.infinity(), n) for n in "xy")
s.Add(2 * x + 3 * y <= 40)
s.Maximize(3 * x + 4 * y)
s.Solve()
print(s.Objective().Value())
"""

_CP_SAT = """
from ortools.sat.python import cp_model
m = cp_model.CpModel()
x, y = (m.new_int_var(0, 100, n) for n in "xy")
m.add(2 * x + 3 * y <= 40)
m.maximize(3 * x + 4 * y)
s = cp_model.CpSolver()
s.solve(m)
print(s.objective_value)
"""

_CVXPY = """
import cvxpy as cp
x = cp.Variable(2, integer=True)
p = cp.Problem(cp.Maximize(3 * x[0] + 4 * x[1]), [x >= 0, 2 * x[0] + 3 * x[1] <= 40])
p.solve()
print(round(p.value, 6))
"""

_HIGHSPY = """
import highspy
h = highspy.Highs()
h.silent()
x, y = (h.addIntegral(0, highspy.kHighsInf) for _ in range(2))
h.addConstr(2 * x + 3 * y <= 40)
h.maximize(3 * x + 4 * y)
print(h.getObjectiveValue())
"""

_PYSCIPOPT = """
from pyscipopt import Model
m = Model()
m.hideOutput()
x, y = (m.addVar(n, vtype="I", lb=0) for n in "xy")
m.setObjective(3 * x + 4 * y, "maximize")
m.addCons(2 * x + 3 * y <= 40)
m.optimize()
print(m.getObjVal())
"""

_SCIPY = """
from scipy.optimize import LinearConstraint, milp
found = milp([-3, -4], integrality=[1, 1], constraints=LinearConstraint([[2, 3]], ub=[40]))
print(found.fun)
"""

_PANDAS = """
import pandas as pd
from scipy.optimize import linprog
d = pd.DataFrame({"gain": [3, 4], "use": [2, 3]}, index=["x", "y"])
found = linprog(-d["gain"], A_ub=d[["use"]].T, b_ub=[40])
print(found.fun)
"""

PROGRAMS: Mapping[str, SmallProgram] = {
    "Pyomo": SmallProgram("Pyomo", _PYOMO),
    "cvxpy": SmallProgram("cvxpy", _CVXPY),
    "gurobipy": SmallProgram("", _GUROBIPY),
    "coptpy": SmallProgram("", _COPTPY),
    "scipy": SmallProgram("scipy", _SCIPY, -60.0),
    "pandas": SmallProgram("pandas", _PANDAS, -60.0),
    "highspy": SmallProgram("highspy", _HIGHSPY),
    "PySCIPOpt": SmallProgram("PySCIPOpt", _PYSCIPOPT),
    "PuLP": SmallProgram("PuLP", _PULP),
    "OR-Tools linear": SmallProgram("ortools", _LINEAR_SOLVER),
    "OR-Tools CP-SAT": SmallProgram("ortools", _CP_SAT),
}
"""The programs by the names of libraries and layers; those that take longest first."""
