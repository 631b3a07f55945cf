"""A key that is not there: the program's own fault, an exception."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVars([1, 2, 3], ub=2, name="x")
m.setObjective(x[0] + x[1], GRB.MAXIMIZE)
m.optimize()
