"""getType, setType; a relaxation by hand."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
x = m.addVars(3, ub=9, vtype=COPT.INTEGER, nameprefix="x")
m.addConstr(3 * x[0] + 5 * x[1] + 4 * x[2] <= 17)
m.setObjective(4 * x[0] + 7 * x[1] + 5 * x[2], COPT.MAXIMIZE)
m.solve()
print("= mip", m.objval)
m.solveLP()
print("= relaxed", m.lpobjval)
for i in range(3):
    x[i].setType(COPT.CONTINUOUS)
m.solve()
print("= continuous", m.objval, m.ismip)
