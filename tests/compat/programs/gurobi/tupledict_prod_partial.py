"""tupledict.prod where some keys have no coefficient."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVars(["a", "b", "c"], ub=4, name="x")
m.setObjective(x.prod({"a": 2.0, "c": 5.0}), GRB.MAXIMIZE)
m.addConstr(x.sum() <= 7)
m.optimize()
print("= expr size", x.prod({"a": 2.0, "c": 5.0}).size())
print("= obj", m.ObjVal, x["c"].X, x["a"].X)
