"""feasRelaxS: least violation."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
x = m.addVar(ub=4, name="x")
y = m.addVar(ub=4, name="y")
m.addConstr(x + y >= 11, name="much")
m.addConstr(x - y >= 2, name="apart")
m.setObjective(x + y, COPT.MINIMIZE)
m.solve()
print("= infeasible", m.status == COPT.INFEASIBLE)
m.feasRelaxS(True, True)
print("= violation", round(m.feasrelaxobj, 6))
