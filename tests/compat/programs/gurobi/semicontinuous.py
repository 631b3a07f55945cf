"""Semi-continuous and semi-integer variables."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(lb=3, ub=10, vtype=GRB.SEMICONT, name="x")
y = m.addVar(lb=2, ub=8, vtype=GRB.SEMIINT, name="y")
z = m.addVar(ub=4, name="z")
m.addConstr(x + y + z >= 5.5)
m.setObjective(2 * x + 3 * y + 4 * z, GRB.MINIMIZE)
m.optimize()
print("= obj", m.ObjVal, x.X, y.X, z.X)
