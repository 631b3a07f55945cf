"""No objective at all: any point, objective zero."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model("queens")
n = 6
q = m.addVars(n, n, vtype=GRB.BINARY, name="q")
m.addConstrs(q.sum(i, "*") == 1 for i in range(n))
m.addConstrs(q.sum("*", j) == 1 for j in range(n))
for d in range(-n + 2, n - 1):
    m.addConstr(gp.quicksum(q[i, i - d] for i in range(n) if 0 <= i - d < n) <= 1)
for s in range(1, 2 * n - 2):
    m.addConstr(gp.quicksum(q[i, s - i] for i in range(n) if 0 <= s - i < n) <= 1)
m.optimize()
print("= placed", m.Status == GRB.OPTIMAL, round(q.sum().getValue()), m.ObjVal)
