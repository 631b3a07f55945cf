"""Rows added in a loop between solves: a cutting plane by hand."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=3, name="x")
y = m.addVar(ub=3, name="y")
m.setObjective(x + y, GRB.MAXIMIZE)
rounds = 0
while True:
    m.optimize()
    if x.X + 2 * y.X <= 5 + 1e-6 and 2 * x.X + y.X <= 4 + 1e-6:
        break
    if x.X + 2 * y.X > 5 + 1e-6:
        m.addConstr(x + 2 * y <= 5)
    else:
        m.addConstr(2 * x + y <= 4)
    rounds += 1
print("= rounds", rounds, m.ObjVal, m.NumConstrs)
