"""Values asked by getLpSolution and by attributes of variables."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
x = m.addVar(name="x")
y = m.addVar(name="y")
m.addConstr(x + y <= 4)
m.addConstr(x + 3 * y <= 9)
m.setObjective(3 * x + 5 * y, COPT.MAXIMIZE)
m.solveLP()
values, slacks, duals, costs = m.getLpSolution()
print("=", values, slacks, duals, costs)
print("=", x.X if hasattr(x, "X") else x.x, m.haslpsol, m.lpstatus)
