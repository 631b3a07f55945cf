"""Attributes that do not exist, on model and variable."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=2, name="x")
m.setObjective(x, GRB.MAXIMIZE)
m.optimize()
for thing, name in ((m, "ObjectiveValue"), (x, "Value")):
    try:
        getattr(thing, name)
    except AttributeError as error:
        print("= attribute error", error)
    except gp.GurobiError as error:
        print("= gurobi error", error.errno)
try:
    m.getAttr("Nothing")
except (AttributeError, gp.GurobiError) as error:
    print("= getAttr", type(error).__name__, error)
print("= obj", m.ObjVal)
