"""Cutoff better than the optimum: status CUTOFF."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
m.Params.Cutoff = 5
x = m.addVars(3, vtype=GRB.BINARY, name="x")
m.addConstr(x.sum() >= 2)
m.setObjective(4 * x[0] + 5 * x[1] + 6 * x[2], GRB.MINIMIZE)
m.optimize()
print("= status", m.Status)
