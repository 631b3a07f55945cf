"""Ranges of right sides and costs: SARHSLow, SAObjUp."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(name="x")
y = m.addVar(name="y")
a = m.addConstr(2 * x + y <= 10, "a")
b = m.addConstr(x + 3 * y <= 15, "b")
m.setObjective(3 * x + 4 * y, GRB.MAXIMIZE)
m.optimize()
print("= rhs", a.SARHSLow, a.SARHSUp, b.SARHSLow, b.SARHSUp)
print("= obj", x.SAObjLow, x.SAObjUp, y.SAObjLow, y.SAObjUp)
