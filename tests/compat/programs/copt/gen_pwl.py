"""addGenConstrPWL: a tariff."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
a = m.addVar(ub=100, name="a")
b = m.addVar(ub=100, name="b")
pa = m.addVar(ub=500, name="pa")
pb = m.addVar(ub=500, name="pb")
m.addGenConstrPWL(a, pa, [0, 20, 60, 100], [0, 80, 180, 240])
m.addGenConstrPWL(b, pb, [0, 50, 100], [0, 110, 350])
m.addConstr(a + b >= 95)
m.setObjective(pa + pb, COPT.MINIMIZE)
m.solve()
print("= obj", m.objval)
