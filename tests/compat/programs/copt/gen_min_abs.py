"""addGenConstrMin and addGenConstrAbs."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
x = m.addVar(ub=6, name="x")
y = m.addVar(ub=8, name="y")
d = m.addVar(lb=-20, ub=20, name="d")
low = m.addVar(ub=20, name="low")
gap = m.addVar(ub=20, name="gap")
m.addGenConstrMin(low, [x, y], 5.5)
m.addConstr(d == x - y)
m.addGenConstrAbs(gap, d)
m.addConstr(gap >= 1)
m.addConstr(x + y <= 13)
m.setObjective(2 * low - 0.25 * x - 0.5 * y, COPT.MAXIMIZE)
m.solve()
print("= obj", m.objval)
