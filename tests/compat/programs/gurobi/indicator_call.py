"""addGenConstrIndicator in its two forms, with equality and expressions."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
b = m.addVar(vtype=GRB.BINARY, name="b")
c = m.addVar(vtype=GRB.BINARY, name="c")
x = m.addVar(ub=10, name="x")
y = m.addVar(ub=10, name="y")
m.addGenConstrIndicator(b, True, x + 2 * y <= 8, name="first")
m.addGenConstrIndicator(c, 0, x - y, GRB.EQUAL, 1.0, "second")
m.addConstr(b + (1 - c) >= 1)
m.setObjective(3 * x + 4 * y - 2 * b, GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal, b.X, c.X)
