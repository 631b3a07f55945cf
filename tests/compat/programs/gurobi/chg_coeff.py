"""chgCoeff, RHS and Sense changed between two solves."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(name="x")
y = m.addVar(name="y")
c = m.addConstr(2 * x + y <= 10, "c")
d = m.addConstr(x + 3 * y <= 15, "d")
m.setObjective(3 * x + 4 * y, GRB.MAXIMIZE)
m.optimize()
print("= first", m.ObjVal)
m.chgCoeff(c, x, 4)
d.RHS = 12
m.optimize()
print("= second", m.ObjVal)
d.Sense = GRB.EQUAL
m.setAttr("RHS", [c], [8.0])
m.optimize()
print("= third", m.ObjVal)
