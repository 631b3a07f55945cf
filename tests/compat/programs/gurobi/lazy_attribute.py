"""Lazy rows by the attribute Lazy."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVars(6, vtype=GRB.BINARY, name="x")
rows = m.addConstrs((x[i] + x[j] <= 1 for i in range(6) for j in range(i) if (i + j) % 3), "p")
for c in rows.values():
    c.Lazy = 1
m.setObjective(gp.quicksum((i + 2) * x[i] for i in range(6)), GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal)
