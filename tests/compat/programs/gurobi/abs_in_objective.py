"""abs_ and Python's abs used in an objective are refused."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(lb=-3, ub=4, name="x")
for attempt in (lambda: m.setObjective(gp.abs_(x)), lambda: abs(x), lambda: max(x, 2)):
    try:
        attempt()
        print("= accepted")
    except Exception as error:
        print("= refused", type(error).__name__)
m.setObjective(x, GRB.MINIMIZE)
m.optimize()
print("= obj", m.ObjVal)
