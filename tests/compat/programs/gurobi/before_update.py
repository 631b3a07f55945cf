"""Attributes read before update()."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(lb=1, ub=6, name="x")
try:
    print("= name", x.VarName)
except (AttributeError, gp.GurobiError) as error:
    print("= too early", type(error).__name__)
print("= number", m.NumVars, m.getVarByName("x") if m.NumVars else None)
m.update()
print("= name", x.VarName, x.LB, x.UB)
x.UB = 9
print("= still", x.UB)
m.update()
print("= now", x.UB)
m.setObjective(x, GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal)
