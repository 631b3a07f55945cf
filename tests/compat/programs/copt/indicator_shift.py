"""The indicator by >>."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
b = m.addVar(vtype=COPT.BINARY, name="b")
x = m.addVar(ub=10, name="x")
y = m.addVar(ub=10, name="y")
m.addConstr((b == 1) >> (x + 2 * y <= 8))
m.addConstr((b == 0) >> (x - y == 1))
m.addConstr(b >= 1)
m.setObjective(3 * x + 4 * y, COPT.MAXIMIZE)
m.solve()
print("= obj", m.objval)
