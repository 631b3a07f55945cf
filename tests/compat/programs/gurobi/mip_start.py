"""Start values given one by one, lower and upper case."""

import gurobipy as gp
from gurobipy import GRB

n = 8
m = gp.Model()
x = m.addVars(n, vtype=GRB.BINARY, name="x")
for i in range(n - 1):
    m.addConstr(x[i] + x[i + 1] <= 1)
m.setObjective(gp.quicksum((3 + i * i % 5) * x[i] for i in range(n)), GRB.MAXIMIZE)
for i in range(n):
    x[i].Start = i % 2
x[0].start = 1.0
x[1].start = GRB.UNDEFINED
m.optimize()
print("= obj", m.ObjVal)
