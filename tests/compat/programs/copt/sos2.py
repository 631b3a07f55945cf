"""addSOS of type 2: a curve."""

import coptpy as cp
from coptpy import COPT

xs = [0, 2, 4, 7, 10]
ys = [0, 5, 6, 12, 11]
env = cp.Envr()
m = env.createModel()
w = m.addVars(5, ub=1, nameprefix="w")
x = m.addVar(ub=6, name="x")
m.addConstr(w.sum() == 1)
m.addConstr(x == cp.quicksum(xs[i] * w[i] for i in range(5)))
m.addSOS(COPT.SOS_TYPE2, [w[i] for i in range(5)], xs)
m.setObjective(cp.quicksum(ys[i] * w[i] for i in range(5)) - 0.5 * x, COPT.MAXIMIZE)
m.solve()
print("= obj", m.objval)
