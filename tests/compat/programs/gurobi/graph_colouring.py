"""Colouring of a wheel: symmetric binaries, a chromatic number."""

import gurobipy as gp
from gurobipy import GRB

edges = [(i, (i + 1) % 7) for i in range(7)] + [(i, 7) for i in range(7)]
m = gp.Model()
use = m.addVars(5, vtype=GRB.BINARY, name="use")
c = m.addVars(8, 5, vtype=GRB.BINARY, name="c")
m.addConstrs(c.sum(v, "*") == 1 for v in range(8))
m.addConstrs(c[u, k] + c[v, k] <= use[k] for u, v in edges for k in range(5))
m.addConstrs(use[k] >= use[k + 1] for k in range(4))
m.setObjective(use.sum(), GRB.MINIMIZE)
m.optimize()
print("= colours", m.ObjVal)
