"""A frontier by epsilon constraints, printed point by point."""

import gurobipy as gp
from gurobipy import GRB

gain, risk = [9, 7, 4, 6], [8, 5, 1, 4]
m = gp.Model("frontier")
m.Params.OutputFlag = 0
x = m.addVars(4, vtype=GRB.BINARY, name="x")
m.setObjective(gp.quicksum(gain[i] * x[i] for i in range(4)), GRB.MAXIMIZE)
cap = m.addConstr(gp.quicksum(risk[i] * x[i] for i in range(4)) <= 100, name="risk")
points = []
for limit in (18, 13, 9, 5, 1):
    cap.setAttr(GRB.Attr.RHS, limit)
    m.optimize()
    points.append((limit, m.ObjVal))
print("= points", points)
