"""Default names, name prefixes, lookups by name."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel("names")
a = m.addVar(ub=2)
b = m.addVars(["p", "q"], [1, 2], ub=3, nameprefix="b")
m.addConstr(a + b["p", 1] <= 4)
rows = m.addConstrs((b[k, 1] + b[k, 2] <= 4 for k in "pq"), nameprefix="row")
m.setObjective(a + b.sum(), COPT.MAXIMIZE)
m.solve()
print("= vars", [v.name for v in m.getVars()])
print("= rows", [c.name for c in m.getConstrs()])
print("= named", m.getVarByName("b(p,1)").getName(), m.getConstrByName("row(q)").getName())
print("= obj", m.objval)
