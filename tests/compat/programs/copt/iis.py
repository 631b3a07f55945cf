"""computeIIS and the marks of rows and bounds."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
x = m.addVar(name="x")
y = m.addVar(ub=20, name="y")
m.addConstr(x + y <= 10, name="budget")
m.addConstr(x >= 6, name="x_least")
m.addConstr(y >= 5, name="y_least")
m.addConstr(x - y <= 8, name="harmless")
m.setObjective(x + y, COPT.MINIMIZE)
m.solve()
if m.status == COPT.INFEASIBLE:
    m.computeIIS()
    rows = [c for c in m.getConstrs() if c.getLowerIIS() or c.getUpperIIS()]
    print("= rows", [c.getName() for c in rows], m.hasiis)
