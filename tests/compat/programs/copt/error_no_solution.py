"""Values asked without a solution."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
x = m.addVar(ub=1, name="x")
m.addConstr(x >= 2)
m.setObjective(x, COPT.MINIMIZE)
m.solve()
try:
    print("= values", len(m.getValues()))
except cp.CoptError:
    print("= CoptError")
