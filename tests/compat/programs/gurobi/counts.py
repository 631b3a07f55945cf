"""Sizes of the model: NumVars, NumConstrs, NumNZs, NumIntVars, NumBinVars, IsMIP."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
a = m.addVars(3, vtype=GRB.BINARY)
b = m.addVars(2, vtype=GRB.INTEGER, ub=7)
c = m.addVar(ub=2)
m.addConstr(a.sum() + b.sum() <= 6)
m.addConstr(b.sum() + c >= 1)
m.setObjective(a.sum() + 2 * b.sum() + c, GRB.MAXIMIZE)
print("= before", m.NumVars, m.NumConstrs)
m.update()
print("= after", m.NumVars, m.NumConstrs, m.NumNZs, m.NumIntVars, m.NumBinVars, m.IsMIP)
print("= others", m.NumQConstrs, m.NumSOS, m.NumGenConstrs, m.IsQP, m.IsQCP, m.NumObj)
m.optimize()
print("= obj", m.ObjVal)
