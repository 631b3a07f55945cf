"""Bounds that cross each other."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(lb=5, ub=3, name="x")
m.setObjective(x)
m.optimize()
print("= status", m.Status == GRB.INFEASIBLE)
