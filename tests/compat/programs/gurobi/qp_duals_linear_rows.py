"""Duals of linear rows in a convex QP."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(lb=-GRB.INFINITY, name="x")
y = m.addVar(lb=-GRB.INFINITY, name="y")
c = m.addConstr(x + y >= 4, "c")
m.setObjective(x * x + 3 * y * y, GRB.MINIMIZE)
m.optimize()
print("= obj", round(m.ObjVal, 4), round(c.Pi, 3))
