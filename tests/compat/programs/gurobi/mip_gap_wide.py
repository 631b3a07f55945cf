"""A wide gap: what is found lies within it."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
m.Params.MIPGap = 0.2
x = m.addVars(25, vtype=GRB.BINARY, name="x")
for k in range(3):
    m.addConstr(gp.quicksum((5 + (i * (2 * k + 3)) % 23) * x[i] for i in range(25)) <= 120)
m.setObjective(gp.quicksum((7 + i * 11 % 29) * x[i] for i in range(25)), GRB.MAXIMIZE)
m.optimize()
print("= within", m.Status, m.MIPGap <= 0.2, m.ObjVal >= m.ObjBound * 0.8)
m.Params.MIPGap = 0
m.optimize()
print("= obj", m.ObjVal)
