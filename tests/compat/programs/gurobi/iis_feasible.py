"""computeIIS of a feasible model raises."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=3, name="x")
m.addConstr(x >= 1)
m.setObjective(x, GRB.MAXIMIZE)
m.optimize()
try:
    m.computeIIS()
    print("= computed")
except gp.GurobiError as error:
    print("= refused", error.errno)
print("= obj", m.ObjVal)
