"""remove of constraints, variables and lists of them."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVars(4, ub=5, name="x")
c = m.addConstrs((x[i] + x[i + 1] <= 4 for i in range(3)), name="c")
total = m.addConstr(x.sum() <= 6, name="total")
m.setObjective(gp.quicksum((i + 1) * x[i] for i in range(4)), GRB.MAXIMIZE)
m.optimize()
print("= all", m.ObjVal)
m.remove(total)
m.optimize()
print("= no total", m.ObjVal, m.NumConstrs)
m.remove(c)
m.remove(x[0])
m.optimize()
print("= less", m.ObjVal, m.NumConstrs, m.NumVars, [v.VarName for v in m.getVars()])
