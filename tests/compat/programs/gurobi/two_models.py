"""Two models side by side; a variable of one in the other is an error."""

import gurobipy as gp
from gurobipy import GRB

a = gp.Model("a")
m = gp.Model("b")
x = a.addVar(ub=2, name="x")
y = m.addVar(ub=3, name="y")
a.update()
m.update()
a.setObjective(x, GRB.MAXIMIZE)
m.setObjective(y, GRB.MAXIMIZE)
a.optimize()
try:
    m.addConstr(x + y <= 4)
    m.update()
    print("= accepted")
except gp.GurobiError as error:
    print("= refused", error.errno)
n = gp.Model("c")
z = n.addVar(ub=3, name="z")
n.setObjective(z, GRB.MAXIMIZE)
n.optimize()
m = n
print("= obj", a.ObjVal, n.ObjVal)
