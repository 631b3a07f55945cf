"""LinExpr from a list of pairs and from a number; size, coefficients."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
x = m.addVar(ub=3, name="x")
y = m.addVar(ub=3, name="y")
e = cp.LinExpr([(x, 2.0), (y, 3.0)])
f = cp.LinExpr(4.0)
m.addConstr(e + f <= 14)
m.setObjective(e - f, COPT.MAXIMIZE)
m.solve()
print("= terms", e.getSize(), e.getCoeff(1), e.getVar(0).getName(), f.getConstant())
print("= obj", m.objval)
