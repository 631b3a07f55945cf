"""Python's sum with a start, of tupledict values, of products of two lists."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVars(4, ub=3, name="x")
c = [2, 4, 1, 3]
e = sum((a * v for a, v in zip(c, x.values(), strict=True)), gp.LinExpr())
m.addConstr(sum(x.values(), 0.5) <= 8)
m.setObjective(e, GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal, e.getValue())
