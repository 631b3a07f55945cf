"""sum with a pattern where keys have one part."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVars(["p", "q", "r"], ub=3, name="x")
m.addConstr(x.sum("*") <= 7)
m.addConstr(x.sum(["p", "q"]) <= 5)
m.setObjective(2 * x["p"] + x["q"] + 1.5 * x["r"], GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal, x.sum("p").size())
