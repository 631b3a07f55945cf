"""After a change and update, X is gone until the next solve."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=4, name="x")
m.setObjective(x, GRB.MAXIMIZE)
m.optimize()
m.addConstr(x <= 3)
print("= before update", x.X, m.Status)
m.update()
print("= after update", m.Status)
try:
    print("= x", x.X)
except AttributeError as error:
    print("= gone", error)
m.optimize()
print("= obj", m.ObjVal)
