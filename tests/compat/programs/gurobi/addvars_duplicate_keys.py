"""Keys that come twice are refused."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
try:
    x = m.addVars(["a", "b", "a"], ub=1)
    print("= made", len(x))
except Exception as error:
    print("= refused", type(error).__name__)
y = m.addVar(ub=3)
m.setObjective(y, GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal)
