"""Integer variables with a product equality."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model("factor")
m.params.NonConvex = 2
p = m.addVar(lb=2, ub=50, vtype=GRB.INTEGER, name="p")
q = m.addVar(lb=2, ub=50, vtype=GRB.INTEGER, name="q")
m.addConstr(p * q == 221, name="product")
m.setObjective(p - q, GRB.MAXIMIZE)
m.optimize()
print("= factors", round(p.X), round(q.X))
