"""Two starts by NumStart and Params.StartNumber, and hints."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVars(5, vtype=GRB.INTEGER, ub=6, name="x")
m.addConstr(gp.quicksum((i + 2) * x[i] for i in range(5)) <= 29)
m.setObjective(gp.quicksum((2 * i + 3) * x[i] for i in range(5)), GRB.MAXIMIZE)
m.NumStart = 2
m.update()
for s in range(m.NumStart):
    m.params.StartNumber = s
    for i in range(5):
        x[i].Start = s
for i in range(5):
    x[i].VarHintVal = 1
    x[i].BranchPriority = i
m.optimize()
print("= obj", m.ObjVal)
