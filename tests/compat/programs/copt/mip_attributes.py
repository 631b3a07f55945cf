"""Attributes of a MIP by name and by getAttr."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
x = m.addVars(10, vtype=COPT.BINARY)
w = [21, 34, 27, 46, 50, 39, 61, 83, 90, 77]
p = [90, 58, 47, 69, 62, 41, 66, 85, 89, 74]
m.addConstr(cp.quicksum(w[i] * x[i] for i in range(10)) <= 165)
m.setObjective(cp.quicksum(p[i] * x[i] for i in range(10)), COPT.MAXIMIZE)
m.solve()
print("= obj", m.objval, m.ObjVal, m.getAttr(COPT.Attr.BestObj), m.bestbnd)
print("= more", m.nodecnt >= 0, m.solvingtime >= 0, m.bestgap <= 1e-4, m.hasmipsol, m.cols)
