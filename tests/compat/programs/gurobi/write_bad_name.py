"""A file whose suffix is not known."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=5, name="x")
m.setObjective(x, GRB.MAXIMIZE)
m.optimize()
try:
    m.write("model.txt")
    print("= written")
except gp.GurobiError as error:
    print("= refused", error.errno)
try:
    gp.read("absent.lp")
    print("= read")
except gp.GurobiError:
    print("= refused")
print("= obj", m.ObjVal)
