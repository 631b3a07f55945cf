"""Disjunctions by big-M."""

from itertools import combinations

import coptpy as cp
from coptpy import COPT

p, w = [3, 5, 2, 4], [2, 1, 4, 3]
big = sum(p)
env = cp.Envr()
m = env.createModel("machine")
s = m.addVars(4, nameprefix="s")
for i, j in combinations(range(4), 2):
    y = m.addVar(vtype=COPT.BINARY)
    m.addConstr(s[i] + p[i] <= s[j] + big * (1 - y))
    m.addConstr(s[j] + p[j] <= s[i] + big * y)
m.setObjective(cp.quicksum(w[i] * (s[i] + p[i]) for i in range(4)), COPT.MINIMIZE)
m.solve()
print("= obj", m.objval)
