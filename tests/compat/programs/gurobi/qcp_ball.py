"""A quadratic row: linear objective over a ball, addQConstr and addConstr."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(lb=-5, name="x")
y = m.addVar(lb=-5, name="y")
ball = m.addQConstr(x * x + y * y <= 25, "ball")
m.addConstr(x * x <= 9 + y, name="bowl")
m.setObjective(3 * x + 4 * y, GRB.MAXIMIZE)
m.optimize()
print("= obj", round(m.ObjVal, 3), m.NumQConstrs, m.IsQCP, ball.QCName)
