"""addCone: a second-order cone."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
t = m.addVar(name="t")
x = m.addVar(lb=-COPT.INFINITY, name="x")
y = m.addVar(lb=-COPT.INFINITY, name="y")
m.addConstr(3 * x + 4 * y == 10)
m.addCone([t, x, y], COPT.CONE_QUAD)
m.setObjective(t, COPT.MINIMIZE)
m.solve()
print("= obj", round(m.objval, 4))
