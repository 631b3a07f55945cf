"""setObjective called without a sense, with sense= word, and changed afterwards."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=4, name="x")
y = m.addVar(ub=5, name="y")
m.addConstr(x + y >= 3)
m.setObjective(2 * x + y)
m.optimize()
print("= min", m.ObjVal)
m.setObjective(2 * x + y + 10, sense=GRB.MAXIMIZE)
m.optimize()
print("= max", m.ObjVal, m.ObjCon, m.ModelSense)
print("= objective", m.getObjective().getValue(), m.getObjective().size())
m.setObjective(0)
m.optimize()
print("= zero", m.ObjVal)
m.setObjective(x - y, GRB.MINIMIZE)
m.optimize()
print("= last", m.ObjVal)
