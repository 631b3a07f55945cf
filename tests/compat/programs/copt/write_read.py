"""Models written and read back."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
a = env.createModel("written")
x = a.addVar(lb=-2, ub=8, vtype=COPT.INTEGER, name="x")
y = a.addVar(lb=-COPT.INFINITY, name="y")
a.addConstr(2 * x + y <= 12.5, name="c1")
a.addConstr(x - y >= -4, name="c2")
a.setObjective(x + 2 * y, COPT.MAXIMIZE)
a.write("m.lp")
a.write("m.mps")
b = env.createModel("lp")
b.read("m.lp")
b.solve()
m = env.createModel("mps")
m.read("m.mps")
m.solve()
print("= both", b.objval, m.objval, m.cols, m.rows)
