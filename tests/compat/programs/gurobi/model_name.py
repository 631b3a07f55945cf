"""Model names, and names of variables with spaces and commas."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model("a name")
x = m.addVar(name="pounds of tea", ub=3)
y = m.addVar(name="y[1,2]", ub=4)
m.addConstr(x + y <= 5, name="the limit")
m.setObjective(2 * x + y, GRB.MAXIMIZE)
m.optimize()
print("= ", m.ModelName, m.getAttr("ModelName"), x.VarName, y.varname)
print("= obj", m.ObjVal)
x.VarName = "tea"
m.update()
print("= renamed", m.getVarByName("tea").X if m.Status == 2 else "gone")
