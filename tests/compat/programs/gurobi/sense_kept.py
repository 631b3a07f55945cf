"""setObjective without a sense after ModelSense keeps it; with one overrides."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=5, name="x")
m.ModelSense = GRB.MAXIMIZE
m.setObjective(x)
m.optimize()
print("= kept", m.ObjVal, m.ModelSense)
m.setObjective(x, GRB.MINIMIZE)
m.optimize()
print("= changed", m.ObjVal, m.ModelSense)
m.setObjective(x)
m.optimize()
print("= after", m.ObjVal, m.ModelSense)
