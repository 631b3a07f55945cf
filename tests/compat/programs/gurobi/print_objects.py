"""What variables, expressions, constraints and models print as."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model("shown")
x = m.addVar(ub=3, name="x")
y = m.addVar(ub=2, name="y")
print("= awaiting", x)
m.update()
c = m.addConstr(x + 2 * y <= 5, "c")
print("= var", x, [x, y])
print("= expr", 2 * x + 3 * y - 1, 2 * x * y)
print("= temp", x + y <= 4)
m.setObjective(x + y, GRB.MAXIMIZE)
m.optimize()
print("= solved", x, c)
print("= objective", m.getObjective())
print("= obj", m.ObjVal)
