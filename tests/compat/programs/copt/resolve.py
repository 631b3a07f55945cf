"""Rows added between solves; the objective replaced."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
x = m.addVar(ub=3, name="x")
y = m.addVar(ub=3, name="y")
m.setObjective(x + y, COPT.MAXIMIZE)
m.solve()
print("= first", m.objval)
m.addConstr(x + 2 * y <= 5)
m.solve()
print("= second", m.objval)
m.addConstr(2 * x + y <= 4)
m.setObjective(2 * x + 3 * y - 1, COPT.MAXIMIZE)
m.solve()
print("= third", m.objval)
