"""setObjectiveN with priorities."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
x = m.addVars(4, vtype=COPT.INTEGER, ub=5, nameprefix="x")
m.addConstr(x.sum() == 7)
m.addConstr(x[0] + x[1] >= 2)
m.setObjectiveN(0, 3 * x[0] + 2 * x[1] + 2 * x[2] + 4 * x[3], COPT.MINIMIZE, 2.0)
m.setObjectiveN(1, 1 * x[0] + 5 * x[1] + 2 * x[2] + x[3], COPT.MINIMIZE, 1.0)
m.solve()
print("= status", m.status)
