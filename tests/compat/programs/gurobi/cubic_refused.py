"""A product of three variables is no quadratic expression."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=2, name="x")
try:
    m.setObjective(x * x * x)
    print("= accepted")
except (TypeError, gp.GurobiError) as error:
    print("= refused", type(error).__name__)
m.setObjective(x, GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal)
