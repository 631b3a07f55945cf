"""An unknown parameter, and a value out of range."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
try:
    m.setParam("NoSuchParameter", 1)
except gp.GurobiError as error:
    print("= unknown", error.errno, error.message)
try:
    m.Params.MIPFocus = 17
except gp.GurobiError as error:
    print("= range", error.errno)
try:
    m.Params.NoSuch = 3
except (AttributeError, gp.GurobiError) as error:
    print("= attribute", type(error).__name__)
x = m.addVar(ub=2)
m.setObjective(x, GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal)
