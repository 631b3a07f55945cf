"""Integers come back near to whole numbers, rounded as programs do."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVars(3, vtype=GRB.INTEGER, lb=0, ub=1000, name="x")
m.addConstr(7 * x[0] + 11 * x[1] + 13 * x[2] == 1009)
m.setObjective(x[0] + x[1] + x[2] + 0.001 * x[1], GRB.MINIMIZE)
m.optimize()
print("= near", all(abs(x[i].X - round(x[i].X)) < 1e-4 for i in range(3)))
print("= obj", round(m.ObjVal, 6))
