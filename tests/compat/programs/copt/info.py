"""getInfo and setInfo for bounds, costs and values."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
x = m.addVars(3, ub=4, nameprefix="x")
m.addConstr(x.sum() <= 7)
m.setObjective(x[0] + 2 * x[1] + 3 * x[2], COPT.MAXIMIZE)
m.solve()
print("= first", m.objval)
x[2].setInfo(COPT.Info.UB, 1.0)
m.setInfo(COPT.Info.UB, x[1], 2.0)
x[0].lb = 0.5
x[0].obj = 1.5
m.solve()
print("= second", m.objval, x[2].getInfo(COPT.Info.Value), m.getInfo(COPT.Info.Value, x[1]))
values = m.getInfo(COPT.Info.Value, x)
print("= all", [values[i] for i in range(3)])
print("= attrs", x[0].lb, x[1].ub, x[2].getInfo("UB"), x[0].obj)
