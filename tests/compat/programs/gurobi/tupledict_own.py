"""A tupledict made by hand, filled one by one and used with sum and prod."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = gp.tupledict()
for i in range(4):
    for k in "ab":
        x[i, k] = m.addVar(ub=i + 1, name=f"x_{i}_{k}")
m.setObjective(x.prod({(i, k): i + (k == "a") for i in range(4) for k in "ab"}), GRB.MAXIMIZE)
m.addConstr(x.sum("*", "a") <= 5)
m.addConstr(x.sum("*", "b") <= 3)
m.optimize()
print("= obj", m.ObjVal)
print("= type", type(x).__name__, len(x), isinstance(x, dict))
