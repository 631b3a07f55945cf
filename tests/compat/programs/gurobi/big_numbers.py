"""Coefficients of very different sizes, an offset in millions."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(vtype=GRB.INTEGER, ub=1000, name="x")
y = m.addVar(ub=1e6, name="y")
m.addConstr(1e5 * x + y <= 7654321)
m.addConstr(y <= 1234.5 * x)
m.setObjective(250000 * x + 1.25 * y + 5e6, GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal)
