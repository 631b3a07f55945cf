"""A variable fixed by setting both bounds; then freed."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVars(3, vtype=GRB.BINARY, name="x")
m.addConstr(2 * x[0] + 3 * x[1] + 4 * x[2] <= 6)
m.setObjective(3 * x[0] + 4 * x[1] + 6 * x[2], GRB.MAXIMIZE)
m.optimize()
print("= free", m.ObjVal)
x[2].LB = x[2].UB = 0
m.optimize()
print("= fixed", m.ObjVal)
x[2].UB = 1
m.optimize()
print("= free", m.ObjVal)
