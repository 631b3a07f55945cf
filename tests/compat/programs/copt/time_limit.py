"""A time limit that is not reached; the statuses that programs ask for."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
m.setParam(COPT.Param.TimeLimit, 60)
x = m.addVars(12, vtype=COPT.BINARY)
m.addConstr(cp.quicksum((7 * i % 11 + 1) * x[i] for i in range(12)) <= 30)
m.setObjective(cp.quicksum((5 * i % 13 + 2) * x[i] for i in range(12)), COPT.MAXIMIZE)
m.solve()
if m.status in (COPT.OPTIMAL, COPT.TIMEOUT, COPT.NODELIMIT):
    print("= obj", m.objval)
