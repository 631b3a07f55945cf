"""A key that is not there."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
x = m.addVars([1, 2, 3], ub=2, nameprefix="x")
m.setObjective(x[0] + x[1], COPT.MAXIMIZE)
m.solve()
