"""addGenConstrAnd and addGenConstrOr."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
b = m.addVars(5, vtype=COPT.BINARY, nameprefix="b")
r = m.addVars(2, vtype=COPT.BINARY, nameprefix="r")
m.addGenConstrAnd(r[0], [b[0], b[1], b[2]])
m.addGenConstrOr(r[1], [b[3], b[4]])
m.addConstr(r[0] + r[1] >= 1)
cost = [1, 2, 3, 9, 8]
m.setObjective(cp.quicksum(cost[i] * b[i] for i in range(5)), COPT.MINIMIZE)
m.solve()
print("= obj", m.objval)
