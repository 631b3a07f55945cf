"""Underscored attributes of one's own on the model; others are refused."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=2, name="x")
m._vars = [x]
m._data = {"k": 1}
m.setObjective(m._vars[0], GRB.MAXIMIZE)
try:
    m.mydata = 3
    print("= set")
except (AttributeError, gp.GurobiError) as error:
    print("= refused", type(error).__name__, error)
m.optimize()
print("= obj", m.ObjVal, m._data)
