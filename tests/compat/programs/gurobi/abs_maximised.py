"""addGenConstrAbs with the absolute value in a maximisation."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
d = m.addVars(2, lb=[-4, -3], ub=[3, 5], name="d")
a = m.addVars(2, name="a")
for i in range(2):
    m.addGenConstrAbs(a[i], d[i], name=f"abs{i}")
m.addConstr(d[0] + d[1] == 0)
m.setObjective(a.sum() + 0.1 * d[0], GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal)
