"""tupledict.sum with lists in a position, a missing key, and a single key."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVars(["a", "b", "c"], range(3), ub=1, name="x")
m.addConstr(x.sum(["a", "b"], "*") <= 4)
m.addConstr(x.sum("c", [0, 2]) <= 1.5)
print("= sizes", x.sum(["a", "b"], 1).size(), x.sum("z", "*").size(), x.sum("c", 1).size())
m.setObjective(x.sum(), GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal)
