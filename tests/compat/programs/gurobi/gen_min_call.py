"""addGenConstrMin with a constant and its name."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=6, name="x")
y = m.addVar(ub=8, name="y")
low = m.addVar(name="low")
c = m.addGenConstrMin(low, [x, y], 5.5, name="low")
m.addConstr(x + y <= 13)
m.setObjective(2 * low - 0.25 * x - 0.5 * y, GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal, c.GenConstrName, c.GenConstrType == GRB.GENCONSTR_MIN)
