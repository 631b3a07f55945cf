"""A dictionary from status codes to names, as programs write it."""

import gurobipy as gp
from gurobipy import GRB

names = {getattr(GRB.Status, k): k for k in dir(GRB.Status) if k.isupper() and "_" not in k[:1]}
print("= codes", sorted(names))
print("= some", names[2], names[3], names[5], names[9], names[13])
m = gp.Model()
x = m.addVar(ub=3)
m.setObjective(x, GRB.MAXIMIZE)
print("= before", m.Status == GRB.LOADED)
m.optimize()
print("= after", names[m.Status])
