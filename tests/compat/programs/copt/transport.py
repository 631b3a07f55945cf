"""Transport with tupledict sums and constraints by generator."""

import coptpy as cp
from coptpy import COPT

supply = {"n": 30, "s": 25, "w": 21}
demand = {"a": 15, "b": 17, "c": 22, "d": 12}
cost = {
    ("n", "a"): 6,
    ("n", "b"): 2,
    ("n", "c"): 6,
    ("n", "d"): 7,
    ("s", "a"): 4,
    ("s", "b"): 9,
    ("s", "c"): 5,
    ("s", "d"): 3,
    ("w", "a"): 8,
    ("w", "b"): 8,
    ("w", "c"): 1,
    ("w", "d"): 5,
}
env = cp.Envr()
m = env.createModel("transport")
ship = m.addVars(cost.keys(), nameprefix="ship")
m.addConstrs((ship.sum(i, "*") <= supply[i] for i in supply), "supply")
m.addConstrs((ship.sum("*", j) == demand[j] for j in demand), "demand")
m.setObjective(ship.prod(cost), COPT.MINIMIZE)
m.solve()
print("= obj", m.objval)
