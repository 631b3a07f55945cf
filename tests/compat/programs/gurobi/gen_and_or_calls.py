"""addGenConstrAnd and addGenConstrOr."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
b = m.addVars(5, vtype=GRB.BINARY, name="b")
r = m.addVars(2, vtype=GRB.BINARY, name="r")
m.addGenConstrAnd(r[0], [b[0], b[1], b[2]], "all")
m.addGenConstrOr(r[1], [b[3], b[4]], name="any")
m.addConstr(r[0] + r[1] >= 1)
cost = [1, 2, 3, 9, 8]
m.setObjective(gp.quicksum(cost[i] * b[i] for i in range(5)), GRB.MINIMIZE)
m.optimize()
print("= obj", m.ObjVal, [round(b[i].X) for i in range(5)])
