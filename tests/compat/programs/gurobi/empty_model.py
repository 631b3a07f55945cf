"""A model without variables, and one without rows."""

import gurobipy as gp
from gurobipy import GRB

e = gp.Model()
e.optimize()
print("= empty", e.Status, e.ObjVal)
m = gp.Model()
x = m.addVar(lb=1, ub=3, obj=2)
m.optimize()
print("= no rows", m.Status == GRB.OPTIMAL, m.ObjVal)
