"""quicksum over nested generators, lists, of nothing, and of expressions."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
n = 4
x = m.addVars(n, n, ub=1, name="x")
empty = gp.quicksum(x[i, 0] for i in range(0))
parts = [gp.quicksum(x[i, j] for j in range(n) if j != i) for i in range(n)]
m.addConstr(gp.quicksum(parts) + empty <= 7.5)
m.addConstr(gp.quicksum([2 * x[0, 1] + 1, x[1, 2] - 1, 5]) <= 6.5)
m.setObjective(
    gp.quicksum((i + 2 * j) * x[i, j] for i in range(n) for j in range(n) if i != j), GRB.MAXIMIZE
)
m.optimize()
print("= obj", m.ObjVal, empty.size())
