"""A quotient by a variable."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(lb=1, ub=2, name="x")
y = m.addVar(ub=5, name="y")
try:
    e = y / x
    print("= made", type(e).__name__)
except (TypeError, gp.GurobiError) as error:
    print("= refused", type(error).__name__)
m.setObjective(x + y, GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal)
