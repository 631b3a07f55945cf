"""The square by ** 2, of a variable and of an expression."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(lb=-4, ub=4, name="x")
y = m.addVar(lb=-4, ub=4, name="y")
m.addConstr(x + y == 3)
m.setObjective(x**2 + (2 * y + 1) ** 2, GRB.MINIMIZE)
m.optimize()
print("= obj", round(m.ObjVal, 4))
