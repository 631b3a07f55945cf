"""Bounds and types as scalars, lists and dictionaries over list keys."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
a = m.addVars(["u", "v", "w"], lb={"u": 0, "v": 1, "w": -1}, ub=3, nameprefix="a")
b = m.addVars(2, 2, ub=2, vtype=COPT.INTEGER, nameprefix="b")
c = m.addVars([(0, 1), (1, 2)], vtype=COPT.BINARY)
m.addConstr(a.sum() + b.sum() + c.sum() <= 12.5)
m.setObjective(2 * a.sum() + b.sum() + c.sum(), COPT.MAXIMIZE)
m.solve()
print("= obj", m.objval, m.cols, m.rows, m.ints, m.bins, m.ismip)
