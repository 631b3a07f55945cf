"""Indicators with >>: a plant open must make at least its minimum."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
run = m.addVars(3, vtype=GRB.BINARY, name="run")
make = m.addVars(3, ub=50, name="make")
cost, fixed, least = [3, 2, 4], [20, 45, 5], [10, 25, 5]
m.addConstr(make.sum() >= 60)
for i in range(3):
    m.addConstr((run[i] == 0) >> (make[i] <= 0), name=f"off{i}")
    m.addConstr((run[i] == 1) >> (make[i] >= least[i]), name=f"on{i}")
m.setObjective(gp.quicksum(cost[i] * make[i] + fixed[i] * run[i] for i in range(3)))
m.optimize()
print("= obj", m.ObjVal, [round(run[i].X) for i in range(3)])
