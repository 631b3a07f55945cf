"""getA: the coefficient matrix as scipy's."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVars(3, ub=4, name="x")
m.addConstr(x[0] + 2 * x[1] <= 4)
m.addConstr(3 * x[2] - x[0] >= 1)
m.setObjective(x.sum(), GRB.MAXIMIZE)
m.update()
a = m.getA()
print("= A", a.shape, a.toarray().tolist())
m.optimize()
print("= obj", m.ObjVal)
