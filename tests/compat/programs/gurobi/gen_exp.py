"""addGenConstrExp and addGenConstrExpA."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=3, name="x")
y = m.addVar(ub=50, name="y")
z = m.addVar(ub=50, name="z")
m.addGenConstrExp(x, y)
m.addGenConstrExpA(x, z, 2.0)
m.addConstr(y + z <= 12)
m.setObjective(x, GRB.MAXIMIZE)
m.optimize()
print("= obj", round(m.ObjVal, 2))
