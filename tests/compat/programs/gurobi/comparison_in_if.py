"""A comparison of variables used as a truth value."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=3, name="x")
y = m.addVar(ub=3, name="y")
try:
    if x >= y:
        print("= true")
    else:
        print("= false")
except Exception as error:
    print("= refused", type(error).__name__)
m.setObjective(x + y, GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal)
