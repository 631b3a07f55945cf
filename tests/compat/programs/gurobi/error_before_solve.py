"""X and ObjVal asked before optimize."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=6, name="x")
m.update()
for get in (lambda: x.X, lambda: m.ObjVal):
    try:
        get()
    except AttributeError as error:
        print("= attribute error", error)
    except gp.GurobiError as error:
        print("= gurobi error", error.errno, error)
m.setObjective(x, GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal)
