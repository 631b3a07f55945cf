"""A matrix of variables with sums over its axes."""

import coptpy as cp
import numpy as np
from coptpy import COPT

cost = np.array([[4, 2, 8], [4, 3, 7], [3, 1, 6]], dtype=float)
env = cp.Envr()
m = env.createModel()
x = m.addMVar((3, 3), vtype=COPT.BINARY, nameprefix="x")
m.addConstrs(x.sum(axis=0) == 1)
m.addConstrs(x.sum(axis=1) == 1)
m.setObjective((cost * x).sum(), COPT.MINIMIZE)
m.solve()
print("= obj", m.objval)
