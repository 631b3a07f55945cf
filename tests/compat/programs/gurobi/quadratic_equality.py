"""A convex function set equal: not convex, solved to a global optimum."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
m.Params.NonConvex = 2
x = m.addVar(lb=-3, ub=3, name="x")
y = m.addVar(lb=-3, ub=3, name="y")
m.addConstr(x * x + y * y == 4)
m.setObjective(x + 2 * y, GRB.MINIMIZE)
m.optimize()
print("= obj", round(m.ObjVal, 3))
