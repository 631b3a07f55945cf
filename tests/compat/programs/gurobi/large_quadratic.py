"""Over the restricted size: 400 squares and one row, with a closed form."""

import gurobipy as gp
from gurobipy import GRB

n = 400
m = gp.Model()
x = m.addVars(n, lb=-GRB.INFINITY, name="x")
m.addConstr(x.sum() == 100)
m.setObjective(gp.quicksum((1 + i % 4) * x[i] * x[i] for i in range(n)), GRB.MINIMIZE)
m.optimize()
weight = sum(1 / (1 + i % 4) for i in range(n))
expected = 100.0**2 / weight
print("= close", abs(m.ObjVal - expected) < 1e-2)
