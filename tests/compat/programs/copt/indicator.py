"""addGenConstrIndicator: off means nothing, on means a least quantity."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
run = m.addVars(3, vtype=COPT.BINARY, nameprefix="run")
make = m.addVars(3, ub=50, nameprefix="make")
cost, fixed, least = [3, 2, 4], [20, 45, 5], [10, 25, 5]
m.addConstr(make.sum() >= 60)
for i in range(3):
    m.addGenConstrIndicator(run[i], False, make[i] <= 0)
    m.addGenConstrIndicator(run[i], True, make[i] >= least[i])
m.setObjective(cp.quicksum(cost[i] * make[i] + fixed[i] * run[i] for i in range(3)), COPT.MINIMIZE)
m.solve()
print("= obj", m.objval, [round(run[i].x) for i in range(3)])
