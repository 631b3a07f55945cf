"""Attributes of the constraints of an addConstrs through getAttr and loops."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVars(3, name="x")
limits = m.addConstrs((x[i] <= 2 + i for i in range(3)), name="limit")
m.setObjective(gp.quicksum((i + 1) * x[i] for i in range(3)), GRB.MAXIMIZE)
m.optimize()
pi = m.getAttr("Pi", limits)
print("= pi", [pi[i] for i in range(3)], [limits[i].Pi for i in limits])
print("= obj", m.ObjVal)
