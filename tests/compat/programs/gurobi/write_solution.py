"""write as .sol, and its values read back by the program."""

from pathlib import Path

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=5, vtype=GRB.INTEGER, name="x")
y = m.addVar(ub=5, vtype=GRB.INTEGER, name="y")
m.addConstr(3 * x + 2 * y <= 19)
m.setObjective(5 * x + 2 * y, GRB.MAXIMIZE)
m.optimize()
m.write("best.sol")
lines = Path("best.sol").read_text().splitlines()
values = dict(line.split() for line in lines if not line.startswith("#"))
print("= values", float(values["x"]), float(values["y"]))
print("= obj", m.ObjVal)
