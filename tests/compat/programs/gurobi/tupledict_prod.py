"""tupledict.prod with a dictionary of coefficients, with and without a pattern."""

import gurobipy as gp
from gurobipy import GRB

pairs = [(i, j) for i in range(3) for j in range(3)]
cost = {(i, j): (i + 1) * (j + 2) + (i * j) % 3 for i, j in pairs}
m = gp.Model()
x = m.addVars(pairs, vtype=GRB.BINARY, name="x")
m.setObjective(x.prod(cost), GRB.MINIMIZE)
m.addConstrs(x.sum(i, "*") == 1 for i in range(3))
m.addConstrs(x.sum("*", j) == 1 for j in range(3))
m.addConstr(x.prod(cost, 0, "*") >= 3)
m.optimize()
print("= value", x.prod(cost).getValue())
print("= row", x.prod(cost, 0, "*").getValue())
