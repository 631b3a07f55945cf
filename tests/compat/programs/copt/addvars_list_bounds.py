"""Bounds and costs as lists over string keys."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
x = m.addVars(["a", "b", "c"], lb=[0, 1, 0], ub=[4, 5, 6], obj=[3, 2, 4], nameprefix="x")
m.addConstr(x.sum() <= 9)
m.setObjSense(COPT.MAXIMIZE)
m.solve()
print("= obj", m.objval, [x[k].ub for k in "abc"])
