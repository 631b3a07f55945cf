"""The maximum made large: needs binaries, a plain inequality would be wrong."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(lb=-3, ub=6, name="x")
y = m.addVar(lb=-3, ub=8, name="y")
top = m.addVar(lb=-GRB.INFINITY, name="top")
m.addConstr(x + y <= 7)
m.addGenConstrMax(top, [x, y], 2.0, "top")
m.setObjective(top - 0.5 * x, GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal, top.X)
