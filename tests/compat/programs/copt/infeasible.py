"""An infeasible LP and its status."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
x = m.addVar(ub=1, name="x")
m.addConstr(x >= 2)
m.setObjective(x, COPT.MINIMIZE)
m.solve()
print("= infeasible", m.status == COPT.INFEASIBLE, m.status)
