"""Free variables with -GRB.INFINITY and -float('inf'), large numbers as infinite."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(lb=-GRB.INFINITY, ub=GRB.INFINITY, name="x")
y = m.addVar(lb=-float("inf"), name="y")
z = m.addVar(lb=-1e30, ub=1e30, name="z")
m.addConstr(x + y >= 2)
m.addConstr(x - y == -6)
m.addConstr(z >= x)
m.addConstr(z - y >= -10)
m.setObjective(x + 2 * y + z, GRB.MINIMIZE)
m.optimize()
print("= bounds", x.LB, y.UB, GRB.INFINITY)
print("= obj", m.ObjVal, x.X, y.X, z.X)
