"""Minimising a concave quadratic over a box with a row."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
m.Params.NonConvex = 2
x = m.addVars(3, lb=-1, ub=2, name="x")
m.addConstr(x.sum() <= 3.5)
m.setObjective(-x[0] * x[0] - 2 * x[1] ** 2 - x[2] * x[2] + x[0], GRB.MINIMIZE)
m.optimize()
print("= obj", round(m.ObjVal, 3))
