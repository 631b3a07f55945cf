"""tupledict.select with wild cards and a list in a position."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVars([("p", 1), ("p", 2), ("q", 1), ("q", 3)], ub=10, name="x")
m.update()
print("= p", [v.VarName for v in x.select("p", "*")])
print("= ones", [v.VarName for v in x.select("*", 1)])
print("= several", [v.VarName for v in x.select("*", [2, 3])])
m.setObjective(gp.quicksum(x.select("*", 1)) + 2 * gp.quicksum(x.select("q")), GRB.MAXIMIZE)
m.addConstr(x.sum() <= 15)
m.optimize()
print("= obj", m.ObjVal)
