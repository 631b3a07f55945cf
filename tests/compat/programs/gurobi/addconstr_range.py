"""A range by a list on the right side, and addRange."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=10, name="x")
y = m.addVar(ub=10, name="y")
m.addConstr(x + 2 * y == [4, 8], "band")
r = m.addRange(x - y, -1, 1, "near")
m.setObjective(x + y, GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal)
print("= vars", m.NumVars, m.NumConstrs)
