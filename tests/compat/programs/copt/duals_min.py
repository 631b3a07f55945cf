"""Duals of a minimisation with equality."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel("duals")
x = m.addVar(name="x")
y = m.addVar(name="y")
m.addConstr(x + 2 * y >= 4, "a")
m.addConstr(3 * x + y == 6, "b")
m.setObjective(2 * x + 3 * y, COPT.MINIMIZE)
m.solveLP()
print("= obj", m.objval, m.getDuals(), m.getInfo(COPT.Info.Dual, m.getConstrs()))
