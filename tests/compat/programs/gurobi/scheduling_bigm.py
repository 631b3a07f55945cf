"""One machine, weighted completion, with big-M disjunctions."""

from itertools import combinations

import gurobipy as gp
from gurobipy import GRB

p = [3, 5, 2, 4]
w = [2, 1, 4, 3]
big = sum(p)
m = gp.Model("machine")
s = m.addVars(4, name="start")
y = {}
for i, j in combinations(range(4), 2):
    y[i, j] = m.addVar(vtype=GRB.BINARY, name=f"y_{i}_{j}")
    m.addConstr(s[i] + p[i] <= s[j] + big * (1 - y[i, j]))
    m.addConstr(s[j] + p[j] <= s[i] + big * y[i, j])
m.setObjective(gp.quicksum(w[i] * (s[i] + p[i]) for i in range(4)), GRB.MINIMIZE)
m.optimize()
print("= obj", m.ObjVal)
