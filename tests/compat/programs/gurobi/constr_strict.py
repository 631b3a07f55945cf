"""Strict comparison is refused."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=4, name="x")
m.setObjective(x, GRB.MAXIMIZE)
try:
    m.addConstr(x < 3)
    print("= accepted")
except (TypeError, gp.GurobiError) as error:
    print("= refused", type(error).__name__)
m.optimize()
print("= obj", m.ObjVal)
