"""obj given with the variables, the sense set apart."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
x = m.addVars(3, lb=0, ub=4, obj=[1, 3, 2], nameprefix="x")
m.addConstr(x.sum("*") <= 7)
m.setObjSense(COPT.MAXIMIZE)
m.setObjConst(5)
m.solve()
print("= obj", m.objval, m.objsense, m.objconst)
