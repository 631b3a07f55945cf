"""remove of variables and rows."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
x = m.addVars(4, ub=5, nameprefix="x")
c = m.addConstrs((x[i] + x[i + 1] <= 4 for i in range(3)), nameprefix="c")
total = m.addConstr(x.sum() <= 6, name="total")
m.setObjective(cp.quicksum((i + 1) * x[i] for i in range(4)), COPT.MAXIMIZE)
m.solve()
print("= all", m.objval)
m.remove(total)
m.solve()
print("= no total", m.objval, m.rows)
m.remove(x[0])
m.solve()
print("= less", m.objval, m.cols)
