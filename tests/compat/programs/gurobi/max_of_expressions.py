"""max_ of expressions is refused; of constants and variables it is not."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=4, name="x")
y = m.addVar(ub=4, name="y")
z = m.addVar(name="z")
try:
    m.addConstr(z == gp.max_(x + y, 3))
    m.update()
    print("= accepted")
except Exception as error:
    print("= refused", type(error).__name__)
m.addConstr(z == gp.max_(x, y, 3))
m.addConstr(x + y >= 1)
m.setObjective(z + x + 2 * y, GRB.MINIMIZE)
m.optimize()
print("= obj", m.ObjVal)
