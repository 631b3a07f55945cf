"""ObjBound, MIPGap, NodeCount, IterCount, ObjBoundC, SolCount of a MIP."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
m.Params.MIPGap = 0
x = m.addVars(10, vtype=GRB.BINARY, name="x")
w = [21, 34, 27, 46, 50, 39, 61, 83, 90, 77]
p = [90, 58, 47, 69, 62, 41, 66, 85, 89, 74]
m.addConstr(gp.quicksum(w[i] * x[i] for i in range(10)) <= 165)
m.setObjective(gp.quicksum(p[i] * x[i] for i in range(10)), GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal, m.ObjBound, m.objBound, m.MIPGap)
print("= counts", m.SolCount >= 1, m.NodeCount >= 0, m.IterCount >= 0, m.nodeCount >= 0)
