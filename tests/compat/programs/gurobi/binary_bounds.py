"""A binary given wider bounds, and one fixed by its bounds."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
a = m.addVar(lb=0, ub=10, vtype=GRB.BINARY, name="a")
b = m.addVar(lb=1, ub=1, vtype=GRB.BINARY, name="b")
c = m.addVar(lb=0.3, ub=2.7, vtype=GRB.INTEGER, name="c")
m.setObjective(a + b + c, GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal, a.X, b.X, c.X)
m.setObjective(a + b + c, GRB.MINIMIZE)
m.optimize()
print("= obj", m.ObjVal)
