"""VBasis and CBasis after an LP with one optimal vertex."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(name="x")
y = m.addVar(name="y")
m.addConstr(x + y <= 4)
m.addConstr(x + 3 * y <= 9)
m.addConstr(x <= 100)
m.setObjective(3 * x + 5 * y, GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal)
print("= basis", x.VBasis, y.VBasis, [c.CBasis for c in m.getConstrs()])
