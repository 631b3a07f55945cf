"""An objective that is only a number, and none at all."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
x = m.addVar(ub=5, vtype=COPT.INTEGER)
m.addConstr(2 * x >= 3)
m.solve()
print("= none", m.objval, m.status)
m.setObjective(7, COPT.MINIMIZE)
m.solve()
print("= number", m.objval)
