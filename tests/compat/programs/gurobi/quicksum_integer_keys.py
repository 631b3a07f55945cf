"""quicksum over a tupledict with integer keys adds the keys."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVars(3, ub=2, name="x")
e = gp.quicksum(x)
print("= keys added", e.size(), e.getConstant())
m.setObjective(x.sum() + e, GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal)
