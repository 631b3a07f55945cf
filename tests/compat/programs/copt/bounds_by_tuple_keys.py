"""Bounds as dictionaries over tuple keys."""

import coptpy as cp
from coptpy import COPT

env = cp.Envr()
m = env.createModel()
keys = [("a", 1), ("a", 2), ("b", 1)]
x = m.addVars(keys, lb={("a", 1): 1, ("a", 2): 0, ("b", 1): 2}, ub=dict.fromkeys(keys, 6))
m.addConstr(x.sum("a", "*") <= 9)
m.addConstr(x.sum("*", 1) <= 8)
m.setObjective(x.prod({("a", 1): 3, ("a", 2): 2, ("b", 1): 5}), COPT.MAXIMIZE)
m.solve()
print("= obj", m.objval)
