"""setCoeff, getCoeff, getRow, getCol; a row's bounds changed."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
x = m.addVar(name="x")
y = m.addVar(name="y")
c = m.addConstr(2 * x + y <= 10, name="c")
d = m.addConstr(x + 3 * y <= 15, name="d")
m.setObjective(3 * x + 4 * y, COPT.MAXIMIZE)
m.solve()
print("= first", m.objval)
m.setCoeff(c, x, 4.0)
d.ub = 12.0
m.solve()
print("= second", m.objval, m.getCoeff(c, x), m.getRow(d).getSize())
