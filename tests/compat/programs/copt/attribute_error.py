"""An attribute that does not exist."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
x = m.addVar(ub=2, name="x")
m.setObjective(x, COPT.MAXIMIZE)
m.solve()
print("= obj", m.objval)
print(m.objectiveValue)
