"""A ratio as an auxiliary variable: r * y == x."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
m.Params.NonConvex = 2
x = m.addVar(lb=1, ub=10, name="x")
y = m.addVar(lb=2, ub=8, name="y")
r = m.addVar(ub=20, name="r")
m.addConstr(r * y == x)
m.addConstr(x + y >= 9)
m.addConstr(x - y <= 3)
m.setObjective(r, GRB.MAXIMIZE)
m.optimize()
print("= obj", round(m.ObjVal, 4))
