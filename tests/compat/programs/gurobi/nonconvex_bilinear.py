"""A bilinear objective with Params.NonConvex = 2."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model("bilinear")
m.Params.NonConvex = 2
x = m.addVar(ub=4, name="x")
y = m.addVar(ub=4, name="y")
m.addConstr(x + y <= 5)
m.setObjective(x * y + x, GRB.MAXIMIZE)
m.optimize()
print("= obj", round(m.ObjVal, 3))
