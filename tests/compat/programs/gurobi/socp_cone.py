"""A second-order cone: shortest sum of distances."""

import math

import gurobipy as gp
from gurobipy import GRB

points = [(0, 0), (4, 0), (0, 3)]
m = gp.Model("fermat")
x = m.addVar(lb=-GRB.INFINITY, name="x")
y = m.addVar(lb=-GRB.INFINITY, name="y")
d = m.addVars(3, name="d")
for i, (a, b) in enumerate(points):
    dx = m.addVar(lb=-GRB.INFINITY)
    dy = m.addVar(lb=-GRB.INFINITY)
    m.addConstr(dx == x - a)
    m.addConstr(dy == y - b)
    m.addConstr(dx * dx + dy * dy <= d[i] * d[i])
m.setObjective(d.sum(), GRB.MINIMIZE)
m.optimize()
print("= sum", round(m.ObjVal, 3), m.ObjVal < math.dist(*points[:2]) + 3.01)
