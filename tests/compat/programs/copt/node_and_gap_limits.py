"""NodeLimit, AbsGap and SolTimeLimit that do not bind."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
m.setParam(COPT.Param.NodeLimit, 100000)
m.setParam(COPT.Param.AbsGap, 1e-8)
m.setParam(COPT.Param.RelGap, 0)
x = m.addVars(10, vtype=COPT.INTEGER, ub=3)
m.addConstr(cp.quicksum((5 + (i * 3) % 13) * x[i] for i in range(10)) <= 61)
m.setObjective(cp.quicksum((7 + i * 11 % 17) * x[i] for i in range(10)), COPT.MAXIMIZE)
m.solve()
print("= obj", m.objval, m.bestbnd, m.status == COPT.OPTIMAL)
