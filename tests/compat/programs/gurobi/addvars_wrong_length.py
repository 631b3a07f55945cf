"""A list of bounds that is too short; a dictionary that lacks a key."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
for ub in ([1, 2], {0: 1, 1: 2}):
    try:
        m.addVars(3, ub=ub)
        print("= made")
    except Exception as error:
        print("= refused", type(error).__name__)
y = m.addVar(ub=3)
m.setObjective(y, GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal)
