"""addConstrs over indicators."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
n = 4
z = m.addVars(n, vtype=GRB.BINARY, name="z")
t = m.addVars(n, ub=20, name="t")
m.addConstrs(((z[i] == 1) >> (t[i] + 3 <= t[i + 1]) for i in range(n - 1)), name="chain")
m.addConstr(t[n - 1] <= 7)
m.setObjective(5 * z.sum() - gp.quicksum(t[i] for i in range(n)) * 0.1, GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal, m.NumGenConstrs)
