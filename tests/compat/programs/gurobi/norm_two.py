"""The Euclidean norm."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(lb=-9, ub=9, name="x")
y = m.addVar(lb=-9, ub=9, name="y")
r = m.addVar(ub=20, name="r")
m.addConstr(3 * x + 4 * y == 10)
m.addConstr(r == gp.norm([x, y], 2))
m.setObjective(r, GRB.MINIMIZE)
m.optimize()
print("= obj", round(m.ObjVal, 3))
