"""Bounds of rows read and changed: lb and ub of each sense."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
x = m.addVar(name="x")
y = m.addVar(name="y")
a = m.addConstr(x + y <= 10)
b = m.addConstr(x - y >= -4)
c = m.addConstr(x + 2 * y == 13)
m.setObjective(x + 3 * y, COPT.MAXIMIZE)
m.solve()
print("= first", m.objval, a.ub, b.lb, c.lb, c.ub)
c.lb = 8
c.ub = 11
b.setInfo(COPT.Info.LB, -1.0)
m.solve()
print("= second", m.objval)
