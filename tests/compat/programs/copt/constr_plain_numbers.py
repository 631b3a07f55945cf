"""A constraint of two numbers, true and false."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
x = m.addVar(ub=4, name="x")
m.setObjective(x, COPT.MAXIMIZE)
for value in (3 <= 4, 3 >= 4):
    try:
        m.addConstr(value)
        print("= accepted")
    except Exception as error:
        print("= refused", type(error).__name__)
m.solve()
print("= status", m.status, m.rows)
