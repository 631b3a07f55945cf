"""abs_ of a free difference, minimised and kept away from zero."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=10, name="x")
y = m.addVar(ub=10, name="y")
diff = m.addVar(lb=-GRB.INFINITY, ub=20, name="diff")
gap = m.addVar(name="gap")
m.addConstr(diff == x - y)
m.addConstr(gap == gp.abs_(diff), "gap")
m.addConstr(gap >= 3)
m.addConstr(x + y >= 9)
m.setObjective(x + 1.5 * y, GRB.MINIMIZE)
m.optimize()
print("= obj", m.ObjVal, gap.X)
