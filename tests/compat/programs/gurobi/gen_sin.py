"""addGenConstrSin and addGenConstrCos."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=3, name="x")
s = m.addVar(lb=-1, ub=1, name="s")
c = m.addVar(lb=-1, ub=1, name="c")
m.addGenConstrSin(x, s)
m.addGenConstrCos(x, c)
m.setObjective(s + c, GRB.MAXIMIZE)
m.optimize()
print("= obj", round(m.ObjVal, 2))
