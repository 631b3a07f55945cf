"""setPWLObj: a convex and a concave part in the objective."""

import gurobipy as gp

m = gp.Model()
x = m.addVar(ub=10, name="x")
y = m.addVar(ub=10, name="y")
m.setPWLObj(x, [0, 3, 6, 10], [0, 6, 15, 35])
m.setPWLObj(y, [0, 4, 10], [0, 10, 16])
m.addConstr(x + y == 11)
m.optimize()
print("= obj", m.ObjVal, x.X, y.X)
