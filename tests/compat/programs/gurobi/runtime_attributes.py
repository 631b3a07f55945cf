"""Runtime, IterCount, BarIterCount, NodeCount exist after an LP."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVars(6, ub=3)
m.addConstrs(x[i] + x[i + 1] <= 4 for i in range(5))
m.setObjective(x.sum(), GRB.MAXIMIZE)
m.optimize()
print("=", m.Runtime >= 0, m.runtime >= 0, m.IterCount >= 0, m.BarIterCount >= 0, m.NodeCount)
print("= obj", m.ObjVal)
