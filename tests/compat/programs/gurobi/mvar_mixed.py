"""MVar elements with ordinary variables in one expression."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addMVar(3, ub=2.0, name="x")
y = m.addVar(ub=9, name="y")
m.addConstr(x[0] + x[1] + y <= 5)
m.addConstr(y <= x.sum())
m.setObjective(gp.quicksum(x[i] for i in range(3)) + 2 * y, GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal, round(float(x.X.sum()), 6))
