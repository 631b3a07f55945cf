"""A chained comparison keeps only what Python makes of it: an error."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=4, name="x")
m.setObjective(x, GRB.MAXIMIZE)
try:
    m.addConstr(1 <= x <= 3)
    print("= accepted")
except (TypeError, AttributeError, gp.GurobiError) as error:
    print("= refused", type(error).__name__)
m.optimize()
print("= obj", m.ObjVal)
