"""An objective that is only a number."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=5, vtype=GRB.INTEGER, name="x")
m.addConstr(2 * x >= 3)
m.setObjective(7, GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal, m.Status, x.X >= 1.5)
