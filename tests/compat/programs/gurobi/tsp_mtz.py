"""A tour by Miller-Tucker-Zemlin rows."""

import math

import gurobipy as gp
from gurobipy import GRB

points = [(0, 0), (3, 1), (6, 0), (7, 4), (4, 6), (1, 5), (3, 3)]
n = len(points)
d = {(i, j): math.dist(points[i], points[j]) for i in range(n) for j in range(n) if i != j}
m = gp.Model("tsp")
x = m.addVars(d.keys(), obj=d, vtype=GRB.BINARY, name="x")
u = m.addVars(n, lb=0, ub=n - 1, name="u")
m.addConstrs(x.sum(i, "*") == 1 for i in range(n))
m.addConstrs(x.sum("*", j) == 1 for j in range(n))
m.addConstrs(u[i] - u[j] + n * x[i, j] <= n - 1 for i in range(1, n) for j in range(1, n) if i != j)
m.optimize()
print("= tour length", m.ObjVal)
