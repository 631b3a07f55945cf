"""Integers with a convex quadratic objective."""

import coptpy as cp
from coptpy import COPT

target = [2.3, 4.7, 1.5, 3.2]
env = cp.Envr()
m = env.createModel()
x = m.addVars(4, vtype=COPT.INTEGER, ub=8, nameprefix="x")
m.addConstr(x.sum() == 10)
m.setObjective(
    cp.quicksum((x[i] - target[i]) * (x[i] - target[i]) for i in range(4)), COPT.MINIMIZE
)
m.solve()
print("= obj", round(m.objval, 5))
