"""Minus, division, negation, sums with constants, builtin sum."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = [m.addVar(lb=-2, ub=8, name=f"x{i}") for i in range(5)]
total = sum(x) - 3
half = (x[0] - x[1]) / 2
m.addConstr(-total >= -20)
m.addConstr(half <= 1)
m.addConstr(3 - x[2] >= x[3] - 1)
m.setObjective(-(x[4] + 2 * x[3]) - sum(i * x[i] for i in range(3)) * 0.5, GRB.MINIMIZE)
m.optimize()
print("= obj", m.ObjVal)
