"""A bilinear objective."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
m.setParam(COPT.Param.NonConvex, 2)
x = m.addVar(ub=4, name="x")
y = m.addVar(ub=4, name="y")
m.addConstr(x + y <= 5)
m.setObjective(x * y + x, COPT.MAXIMIZE)
m.solve()
print("= obj", round(m.objval, 3))
