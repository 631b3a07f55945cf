"""An indicator with True, 1 and 1.0, chosen by one binary."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
b = m.addVars(3, vtype=GRB.BINARY, name="b")
x = m.addVars(3, ub=10, name="x")
m.addGenConstrIndicator(b[0], True, x[0] <= 2)
m.addGenConstrIndicator(b[1], 1, x[1] <= 3)
m.addGenConstrIndicator(b[2], 0, x[2] == 4)
m.addConstr(b[0] + b[1] >= 1)
m.addConstr(b[2] == 0)
m.setObjective(x.sum(), GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal)
