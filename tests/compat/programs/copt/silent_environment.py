"""Logging off through the configuration and the parameters."""

import coptpy as cp
from coptpy import COPT

config = cp.EnvrConfig()
config.set("nobanner", "1")
env = cp.Envr(config)
m = env.createModel("quiet")
m.setParam(COPT.Param.Logging, 0)
x = m.addVar(ub=5, vtype=COPT.INTEGER, name="x")
m.addConstr(2 * x <= 7)
m.setObjective(x, COPT.MAXIMIZE)
m.solve()
print("= obj", m.objval)
env.close()
