"""quicksum of nothing, and over values of a tupledict."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
x = m.addVars(["a", "b"], ub=2, nameprefix="x")
e = cp.quicksum(x[k] for k in [])
m.addConstr(e + x.sum() <= 3)
m.setObjective(cp.quicksum(x.values()), COPT.MAXIMIZE)
m.solve()
print("= obj", m.objval, cp.quicksum([]).getSize())
