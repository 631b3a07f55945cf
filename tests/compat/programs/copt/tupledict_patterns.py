"""select and sum of a tupledict with patterns over three indices."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
v = m.addVars(range(3), ["x", "y"], [1, 2], ub=4, vtype=COPT.INTEGER, nameprefix="v")
m.addConstrs((v.sum(i, "*", "*") <= 7 for i in range(3)), nameprefix="i")
m.addConstrs((v.sum("*", j, "*") <= 10 for j in "xy"), nameprefix="j")
m.addConstr(cp.quicksum(v.select("*", "x", 1)) <= 5)
m.setObjective(cp.quicksum((1 + i + k + (j == "y")) * v[i, j, k] for i, j, k in v), COPT.MAXIMIZE)
m.solve()
print("= obj", m.objval, v[0, "x", 1].name, len(v.select(1, "*", "*")))
