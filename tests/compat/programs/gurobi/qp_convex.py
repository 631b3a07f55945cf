"""A convex quadratic objective: least distance to a point."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model("near")
x = m.addVar(lb=-10, name="x")
y = m.addVar(lb=-10, name="y")
m.addConstr(x + 2 * y <= 3)
m.setObjective((x - 3) * (x - 3) + (y - 2) ** 2, GRB.MINIMIZE)
m.optimize()
print("= obj", round(m.ObjVal, 5), round(x.X, 4), round(y.X, 4))
print("= is", m.IsQP, m.IsMIP)
