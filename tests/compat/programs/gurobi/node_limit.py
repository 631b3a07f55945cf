"""NodeLimit of zero on a model that needs branching, then without."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVars(20, vtype=GRB.INTEGER, ub=3, name="x")
for k in range(4):
    m.addConstr(gp.quicksum((5 + (i * (2 * k + 3)) % 13) * x[i] for i in range(20)) <= 91 + k)
m.setObjective(gp.quicksum((7 + i * 11 % 17) * x[i] for i in range(20)), GRB.MAXIMIZE)
m.Params.NodeLimit = 1
m.optimize()
print("= status", m.Status in (GRB.NODE_LIMIT, GRB.OPTIMAL))
m.Params.NodeLimit = float("inf")
m.Params.MIPGap = 0
m.optimize()
print("= obj", m.ObjVal)
