"""An unbounded LP told apart by DualReductions = 0."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
m.Params.DualReductions = 0
x = m.addVar(name="x")
y = m.addVar(name="y")
m.addConstr(x - y <= 1)
m.setObjective(x + y, GRB.MAXIMIZE)
m.optimize()
if m.status == GRB.UNBOUNDED:
    print("= unbounded")
elif m.status == GRB.INF_OR_UNBD:
    print("= either")
