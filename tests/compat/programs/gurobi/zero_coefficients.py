"""Coefficients of zero and terms that cancel."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=5, name="x")
y = m.addVar(ub=5, name="y")
c = m.addConstr(0 * x + y <= 3)
d = m.addConstr(x - x + y >= 1)
m.setObjective(x + y + 0 * y, GRB.MAXIMIZE)
m.optimize()
print("= sizes", m.getRow(c).size(), m.getRow(d).size(), m.NumNZs)
print("= obj", m.ObjVal)
