"""Attributes that may not be set: .x assigned raises."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=5, name="x")
m.setObjective(x, GRB.MAXIMIZE)
m.optimize()
try:
    x.x = 3
    print("= assigned")
except (AttributeError, gp.GurobiError) as error:
    print("= refused", type(error).__name__, error)
print("= x", x.X)
