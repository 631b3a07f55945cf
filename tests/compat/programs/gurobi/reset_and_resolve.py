"""reset forgets the solution; the next solve finds it again."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVars(4, vtype=GRB.BINARY)
m.addConstr(x.sum() <= 2)
m.setObjective(x[0] + 2 * x[1] + 3 * x[2] + 4 * x[3], GRB.MAXIMIZE)
m.optimize()
m.reset()
print("= status", m.Status, m.SolCount)
m.optimize()
print("= obj", m.ObjVal)
