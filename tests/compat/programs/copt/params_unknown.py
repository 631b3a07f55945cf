"""An unknown parameter raises CoptError."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
try:
    m.setParam("NoSuchThing", 1)
    print("= accepted")
except (cp.CoptError, AttributeError) as error:
    print("= refused", type(error).__name__, error)
x = m.addVar(ub=2)
m.setObjective(x, COPT.MAXIMIZE)
m.solve()
print("= obj", m.objval)
