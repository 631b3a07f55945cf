"""copy: the copy is changed, the first one is not."""

import gurobipy as gp
from gurobipy import GRB

first = gp.Model("first")
x = first.addVar(ub=3, name="x")
first.setObjective(x, GRB.MAXIMIZE)
first.update()
m = first.copy()
m.getVarByName("x").UB = 8
m.addConstr(m.getVarByName("x") <= 7)
m.optimize()
first.optimize()
print("= both", first.ObjVal, m.ObjVal, first.NumConstrs, m.NumConstrs)
