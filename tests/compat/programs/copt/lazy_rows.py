"""addLazyConstr before the solve."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
x = m.addVars(6, vtype=COPT.BINARY, nameprefix="x")
m.addConstr(x.sum() <= 5)
for i in range(6):
    for j in range(i):
        if (i + j) % 3:
            m.addLazyConstr(x[i] + x[j] <= 1)
m.setObjective(cp.quicksum((i + 2) * x[i] for i in range(6)), COPT.MAXIMIZE)
m.solve()
print("= obj", m.objval)
