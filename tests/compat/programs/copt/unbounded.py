"""An unbounded LP."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
x = m.addVar(name="x")
y = m.addVar(name="y")
m.addConstr(x - y <= 1)
m.setObjective(x + y, COPT.MAXIMIZE)
m.solve()
print("= unbounded", m.status in (COPT.UNBOUNDED, COPT.INF_OR_UNB))
