"""Objective given with variables, replaced by setObjective."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
x = m.addVar(ub=5, obj=10, name="x")
y = m.addVar(ub=5, obj=1, name="y")
m.addConstr(x + y <= 6)
m.setObjSense(COPT.MAXIMIZE)
m.solve()
print("= first", m.objval)
m.setObjective(y)
m.solve()
print("= second", m.objval, x.obj, m.objsense)
m.setObjective(x - y, COPT.MINIMIZE)
m.solve()
print("= third", m.objval, m.getObjective().getSize())
