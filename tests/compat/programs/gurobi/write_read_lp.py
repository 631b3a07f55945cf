"""write as .lp and read back."""

import gurobipy as gp
from gurobipy import GRB

a = gp.Model("written")
x = a.addVar(lb=-2, ub=8, vtype=GRB.INTEGER, name="x")
y = a.addVar(lb=-GRB.INFINITY, name="y")
z = a.addVar(vtype=GRB.BINARY, name="z")
a.addConstr(2 * x + y - 3 * z <= 12.5, "c1")
a.addConstr(x - y >= -4, "c2")
a.addConstr(x + y + z == 7, "c3")
a.setObjective(x + 2 * y - z + 3, GRB.MAXIMIZE)
a.write("model.lp")
m = gp.read("model.lp")
m.optimize()
a.optimize()
print("= both", a.ObjVal, m.ObjVal, m.NumVars, m.NumConstrs, m.ModelSense)
