"""Python's sum over variables and products."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
x = [m.addVar(lb=-2, ub=8, name=f"x{i}") for i in range(5)]
m.addConstr(sum(x) - 3 <= 20)
m.addConstr((x[0] - x[1]) / 2 <= 1)
m.addConstr(3 - x[2] >= x[3] - 1)
m.setObjective(-(x[4] + 2 * x[3]) - sum(i * x[i] for i in range(3)) * 0.5, COPT.MINIMIZE)
m.solve()
print("= obj", m.objval)
