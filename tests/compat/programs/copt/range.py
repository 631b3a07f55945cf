"""Range rows by addBoundConstr and by a list."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
x = m.addVar(ub=10, name="x")
y = m.addVar(ub=10, name="y")
m.addBoundConstr(x + 2 * y, 4, 8, "band")
m.addConstr(x - y == [-1, 1], name="near")
m.setObjective(x + y, COPT.MAXIMIZE)
m.solve()
print("= obj", m.objval, m.rows)
