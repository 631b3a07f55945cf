"""quicksum over a tupledict itself goes over its keys: an error."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVars(["a", "b"], ub=2, name="x")
try:
    e = gp.quicksum(x)
    print("= made", e.size())
except Exception as error:
    print("= refused", type(error).__name__)
m.setObjective(gp.quicksum(x.values()), GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal)
