"""An expression grown by += and -= in loops."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
n = 6
x = m.addVars(n, n, vtype=GRB.BINARY, name="x")
cost = [[(3 * i + 5 * j + i * j) % 11 + 1 for j in range(n)] for i in range(n)]
obj = 0
for i in range(n):
    row = gp.LinExpr()
    col = gp.LinExpr()
    for j in range(n):
        row += x[i, j]
        col += x[j, i]
        obj += cost[i][j] * x[i, j]
    m.addConstr(row == 1, f"row{i}")
    m.addConstr(col == 1, f"col{i}")
obj -= 2
obj *= 3
m.setObjective(obj, GRB.MINIMIZE)
m.optimize()
print("= obj", m.ObjVal)
