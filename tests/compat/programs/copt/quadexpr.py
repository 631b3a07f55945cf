"""QuadExpr built by addTerm, and its value."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
x = m.addVar(ub=4, name="x")
y = m.addVar(ub=4, name="y")
q = cp.QuadExpr()
q.addTerm(1.0, x, x)
q.addTerm(2.0, y, y)
q.addTerm(0.5, x, y)
q += -6 * x - 4 * y + 3
m.setObjective(q, COPT.MINIMIZE)
m.solve()
print("= obj", round(m.objval, 4), round(q.getValue(), 3))
