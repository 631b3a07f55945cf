"""multidict with several values per key: a diet."""

import coptpy as cp
from coptpy import COPT

foods, cost, protein, limit = cp.multidict(
    {"oats": [2.0, 11, 5], "eggs": [3.5, 13, 4], "beans": [1.5, 8, 6], "milk": [1.1, 4, 8]}
)
env = cp.Envr()
m = env.createModel("diet")
buy = m.addVars(foods, ub=limit, nameprefix="buy")
m.addConstr(buy.prod(protein) >= 90)
m.setObjective(buy.prod(cost), COPT.MINIMIZE)
m.solve()
print("= cost", m.objval)
