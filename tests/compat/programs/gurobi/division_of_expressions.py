"""Expressions divided by numbers, multiplied from both sides, powers of one."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=8, name="x")
y = m.addVar(ub=8, name="y")
e = (2 * x + y * 4) / 2 - (x * 0.5) / 0.25
f = -(3 - e) * 2
m.addConstr(f <= 9)
m.addConstr(x / 4 + y / 2 <= 5)
m.setObjective(3 * (x + y) - 1, GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal, f.getConstant())
