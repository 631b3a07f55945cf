"""TimeLimit set and not reached; Runtime and Work read."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
m.setParam("TimeLimit", 60)
x = m.addVars(12, vtype=GRB.BINARY)
m.addConstr(gp.quicksum((7 * i % 11 + 1) * x[i] for i in range(12)) <= 30)
m.setObjective(gp.quicksum((5 * i % 13 + 2) * x[i] for i in range(12)), GRB.MAXIMIZE)
m.optimize()
if m.status == GRB.OPTIMAL or (m.status == GRB.TIME_LIMIT and m.SolCount > 0):
    print("= obj", m.objVal)
print("= time", 0 <= m.Runtime < 60, m.Work >= 0)
