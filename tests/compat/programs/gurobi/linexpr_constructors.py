"""LinExpr from a list of pairs, from coefficients and variables, from a constant."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x, y, z = (m.addVar(ub=10, name=n) for n in "xyz")
a = gp.LinExpr([(2, x), (3, y)])
b = gp.LinExpr([1, 4], [y, z])
c = gp.LinExpr(5.0)
d = gp.LinExpr(x)
m.setObjective(a + b + c + d, GRB.MAXIMIZE)
m.addConstr(a <= 12)
m.addConstr(b <= 20)
m.optimize()
print("= constants", a.getConstant(), c.getConstant())
print("= obj", m.ObjVal)
