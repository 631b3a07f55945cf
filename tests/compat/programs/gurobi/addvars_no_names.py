"""Default names of variables and constraints."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=2)
y = m.addVars(2, ub=3)
m.addConstr(x + y[0] <= 4)
m.addConstrs(y[i] <= 2.5 for i in range(2))
m.setObjective(x + y.sum(), GRB.MAXIMIZE)
m.update()
print("= vars", [v.VarName for v in m.getVars()])
print("= rows", [c.ConstrName for c in m.getConstrs()])
m.optimize()
print("= obj", m.ObjVal)
