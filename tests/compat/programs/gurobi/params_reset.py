"""resetParams and the global setParam."""

import gurobipy as gp
from gurobipy import GRB

gp.setParam("OutputFlag", 0)
m = gp.Model()
m.Params.TimeLimit = 12
m.Params.MIPGap = 0.5
m.resetParams()
print("= limits", m.Params.TimeLimit, m.Params.MIPGap)
x = m.addVar(vtype=GRB.INTEGER, ub=4)
m.setObjective(3 * x, GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal)
