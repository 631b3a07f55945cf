"""Set covering with sets as data and membership in the generator."""

import gurobipy as gp
from gurobipy import GRB

sets = [{1, 2, 3}, {2, 4}, {3, 4, 5}, {5, 6}, {1, 6, 7}, {7, 4}]
cost = [5, 3, 4, 3, 6, 2]
m = gp.Model("cover")
z = m.addVars(len(sets), vtype=GRB.BINARY, obj=cost, name="z")
m.addConstrs(
    (gp.quicksum(z[s] for s in range(len(sets)) if e in sets[s]) >= 1 for e in range(1, 8)), "e"
)
m.optimize()
print("= cost", m.ObjVal)
