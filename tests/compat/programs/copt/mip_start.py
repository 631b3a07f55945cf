"""setMipStart and loadMipStart."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
n = 8
x = m.addVars(n, vtype=COPT.BINARY, nameprefix="x")
m.addConstrs(x[i] + x[i + 1] <= 1 for i in range(n - 1))
m.setObjective(cp.quicksum((3 + i * i % 5) * x[i] for i in range(n)), COPT.MAXIMIZE)
for i in range(n):
    m.setMipStart(x[i], i % 2)
m.loadMipStart()
m.solve()
print("= obj", m.objval)
