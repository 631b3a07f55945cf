"""Quadratic assignment of four: products of binaries."""

import gurobipy as gp
from gurobipy import GRB

flow = [[0, 5, 2, 4], [5, 0, 3, 0], [2, 3, 0, 1], [4, 0, 1, 0]]
dist = [[0, 1, 2, 3], [1, 0, 1, 2], [2, 1, 0, 1], [3, 2, 1, 0]]
n = range(4)
m = gp.Model("qap")
x = m.addVars(4, 4, vtype=GRB.BINARY, name="x")
m.addConstrs(x.sum(i, "*") == 1 for i in n)
m.addConstrs(x.sum("*", j) == 1 for j in n)
m.setObjective(
    gp.quicksum(
        flow[i][k] * dist[j][h] * x[i, j] * x[k, h]
        for i in n
        for j in n
        for k in n
        for h in n
        if i != k and j != h
    ),
    GRB.MINIMIZE,
)
m.optimize()
print("= obj", m.ObjVal)
