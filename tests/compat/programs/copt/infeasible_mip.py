"""An integer program without integer point."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
x = m.addVar(ub=10, vtype=COPT.INTEGER)
y = m.addVar(ub=10, vtype=COPT.INTEGER)
m.addConstr(2 * x + 4 * y == 7)
m.setObjective(x + y, COPT.MAXIMIZE)
m.solve()
print("= infeasible", m.status in (COPT.INFEASIBLE, COPT.INF_OR_UNB), m.hasmipsol)
