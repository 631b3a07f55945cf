"""Variables and constants on both sides, moved over."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(name="x")
y = m.addVar(name="y")
c = m.addConstr(3 * x + 4 <= 2 * y + x + 10, "c")
d = m.addConstr(20 - y >= x + y - 1, "d")
m.setObjective(5 * x + 2 * y, GRB.MAXIMIZE)
m.optimize()
print("= c", m.getCoeff(c, x), m.getCoeff(c, y), c.RHS, c.Sense)
print("= d", m.getCoeff(d, x), m.getCoeff(d, y), d.RHS, d.Sense)
print("= obj", m.ObjVal)
