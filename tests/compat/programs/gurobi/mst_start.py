"""A start written as .mst and read into another model."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVars(5, vtype=GRB.BINARY, name="x")
m.addConstr(gp.quicksum((i + 2) * x[i] for i in range(5)) <= 9)
m.setObjective(gp.quicksum((i + 3) * x[i] for i in range(5)), GRB.MAXIMIZE)
m.optimize()
m.write("start.mst")
n = m.copy()
n.read("start.mst")
n.optimize()
print("= both", m.ObjVal, n.ObjVal)
