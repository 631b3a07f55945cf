"""The largest of several expressions, by one variable."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVars(2, ub=10, name="x")
t = m.addVar(lb=-GRB.INFINITY, name="t")
for a, b, c in ((1, 2, 3), (-1, 1, 5), (2, -3, 1)):
    m.addConstr(t >= a * x[0] + b * x[1] + c)
m.addConstr(x[0] + x[1] >= 2)
m.setObjective(t, GRB.MINIMIZE)
m.optimize()
print("= obj", m.ObjVal)
