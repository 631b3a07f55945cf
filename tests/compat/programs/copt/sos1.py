"""addSOS of type 1."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
x = m.addVars(4, ub=[3, 5, 4, 6], nameprefix="x")
y = m.addVar(ub=2, name="y")
m.addSOS(COPT.SOS_TYPE1, [x[i] for i in range(4)], [1, 2, 3, 4])
m.addConstr(x.sum() + y <= 7)
m.setObjective(2 * x[0] + 1.1 * x[1] + 1.5 * x[2] + x[3] + 0.5 * y, COPT.MAXIMIZE)
m.solve()
print("= obj", m.objval, m.soss)
