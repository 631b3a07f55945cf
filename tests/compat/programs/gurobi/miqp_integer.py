"""An integer program with a convex quadratic objective."""

import gurobipy as gp
from gurobipy import GRB

target = [2.3, 4.7, 1.5, 3.2]
m = gp.Model()
x = m.addVars(4, vtype=GRB.INTEGER, ub=8, name="x")
m.addConstr(x.sum() == 10)
m.setObjective(gp.quicksum((x[i] - target[i]) * (x[i] - target[i]) for i in range(4)))
m.optimize()
print("= obj", m.ObjVal)
