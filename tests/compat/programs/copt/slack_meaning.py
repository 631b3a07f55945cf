"""Slack in COPT is the activity of the row."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
x = m.addVar(ub=3, name="x")
y = m.addVar(ub=2, name="y")
c = m.addConstr(2 * x + y <= 20, name="c")
m.setObjective(x + y, COPT.MAXIMIZE)
m.solve()
print("= slack", c.slack, m.getSlacks(), c.getInfo(COPT.Info.Slack))
print("= obj", m.objval)
