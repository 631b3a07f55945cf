"""norm of 1, 2 and infinity."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVars(3, lb=-5, ub=5, name="x")
n1 = m.addVar(name="n1")
n8 = m.addVar(name="n8")
m.addConstr(x[0] + 2 * x[1] - x[2] == 6)
m.addConstr(n1 == gp.norm(x, 1.0))
m.addGenConstrNorm(n8, [x[0], x[1], x[2]], GRB.INFINITY, "big")
m.setObjective(n1 + 2 * n8, GRB.MINIMIZE)
m.optimize()
print("= obj", m.ObjVal)
