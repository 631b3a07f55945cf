"""A convex quadratic objective."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
x = m.addVar(lb=-10, name="x")
y = m.addVar(lb=-10, name="y")
m.addConstr(x + 2 * y <= 3)
m.setObjective((x - 3) * (x - 3) + (y - 2) * (y - 2), COPT.MINIMIZE)
m.solve()
print("= obj", round(m.objval, 4), round(x.x, 3))
