"""A system of equations with one solution and no objective."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x, y, z = m.addVars(3, lb=-GRB.INFINITY, name="v").values()
m.addConstr(x - 2 * y + z == 9)
m.addConstr(3 * y + 4 * z == -7)
m.addConstr(2 * x + y - 5 * z == 4)
m.optimize()
print("= solution", round(x.X, 6), round(y.X, 6), round(z.X, 6))
