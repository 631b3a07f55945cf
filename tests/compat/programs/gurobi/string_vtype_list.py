"""vtype as a string of one letter per variable in a list."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVars(4, ub=2.5, vtype=list("CIBC"), name="x")
m.setObjective(x.sum(), GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal, [x[i].VType for i in range(4)])
