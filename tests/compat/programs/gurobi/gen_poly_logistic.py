"""addGenConstrPoly and addGenConstrLogistic."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=3, name="x")
y = m.addVar(lb=-10, ub=30, name="y")
p = m.addVar(ub=1, name="p")
m.addGenConstrPoly(x, y, [1, -4, 3, 1])
m.addGenConstrLogistic(x, p)
m.addConstr(p <= 0.9)
m.setObjective(y, GRB.MINIMIZE)
m.optimize()
print("= obj", round(m.ObjVal, 2))
