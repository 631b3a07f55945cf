"""addLConstr in the three-argument form: left, sense, right."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(name="x")
y = m.addVar(name="y")
m.addLConstr(x + y, GRB.LESS_EQUAL, 10, "a")
m.addLConstr(x - y, GRB.GREATER_EQUAL, -2, "b")
m.addLConstr(2 * x, GRB.EQUAL, y + 3, "c")
m.addLConstr(x <= 4)
m.setObjective(x + 3 * y, GRB.MAXIMIZE)
m.optimize()
print("= senses", [c.Sense for c in m.getConstrs()])
print("= rhs", [c.RHS for c in m.getConstrs()])
print("= obj", m.ObjVal, x.X, y.X)
