"""addConstr in the three-argument form."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
x = m.addVar(name="x")
y = m.addVar(name="y")
m.addConstr(x + y, COPT.LESS_EQUAL, 10, "a")
m.addConstr(x - y, COPT.GREATER_EQUAL, -2, "b")
m.addConstr(2 * x, COPT.EQUAL, y + 3, "c")
m.setObjective(x + 3 * y, COPT.MAXIMIZE)
m.solve()
print("= obj", m.objval, x.x, y.x)
