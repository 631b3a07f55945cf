"""A variable more than once in an expression; both sides moved over."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
x = m.addVar(ub=9, name="x")
y = m.addVar(ub=9, name="y")
c = m.addConstr(x + 2 * x - y + x + 4 <= 12 + y)
m.setObjective(x + y + x - 3, COPT.MAXIMIZE)
m.solve()
print("= row", m.getCoeff(c, x), m.getCoeff(c, y), c.ub, c.lb <= -1e20)
print("= obj", m.objval)
