"""A constraint that is False before any variable comes in: an infeasible row."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=4, name="x")
m.setObjective(x, GRB.MAXIMIZE)
m.addConstr(sum(x for _ in range(0)) >= 1, "never")
m.optimize()
print("= status", m.Status, m.NumConstrs)
