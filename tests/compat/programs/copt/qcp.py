"""A quadratic row by addQConstr."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
x = m.addVar(lb=-5, name="x")
y = m.addVar(lb=-5, name="y")
m.addQConstr(x * x + y * y <= 25, name="ball")
m.setObjective(3 * x + 4 * y, COPT.MAXIMIZE)
m.solve()
print("= obj", round(m.objval, 3), m.qconstrs)
