"""A variable type that does not exist: found at the update."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=2, vtype="Q", name="x")
m.setObjective(x, GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal)
