"""Binaries by addVars over a range, quicksum, nameprefix."""

import coptpy as cp
from coptpy import COPT

values = [10, 13, 18, 31, 7, 15]
weights = [2, 3, 4, 5, 1, 4]
env = cp.Envr()
m = env.createModel("knapsack")
x = m.addVars(len(values), vtype=COPT.BINARY, nameprefix="take")
m.addConstr(cp.quicksum(weights[i] * x[i] for i in range(6)) <= 10, name="room")
m.setObjective(cp.quicksum(values[i] * x[i] for i in range(6)), COPT.MAXIMIZE)
m.solve()
print("= obj", m.objval, [i for i in range(6) if x[i].x > 0.5])
