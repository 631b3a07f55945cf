"""addGenConstrMax: a makespan."""

import coptpy as cp
from coptpy import COPT

jobs = [4, 7, 3, 5, 6]
env = cp.Envr()
m = env.createModel()
x = m.addVars(5, 2, vtype=COPT.BINARY, nameprefix="x")
load = m.addVars(2, ub=30, nameprefix="load")
span = m.addVar(ub=30, name="span")
m.addConstrs(x.sum(j, "*") == 1 for j in range(5))
m.addConstrs(load[k] == cp.quicksum(jobs[j] * x[j, k] for j in range(5)) for k in range(2))
m.addGenConstrMax(span, [load[0], load[1]], 11.0)
m.setObjective(span, COPT.MINIMIZE)
m.solve()
print("= obj", m.objval)
