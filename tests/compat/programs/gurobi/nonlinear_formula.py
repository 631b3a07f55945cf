"""nlfunc: a formula as a constraint, with an exact optimum."""

import gurobipy as gp
from gurobipy import GRB, nlfunc

m = gp.Model()
x = m.addVar(lb=0.5, ub=6, name="x")
y = m.addVar(lb=-10, ub=10, name="y")
m.addGenConstrNL(y, nlfunc.log(x) + 1 / x)
m.setObjective(y, GRB.MINIMIZE)
m.optimize()
print("= obj", round(m.ObjVal, 3))
