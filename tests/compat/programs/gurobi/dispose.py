"""dispose of a model and of the default environment at the end."""

import gurobipy as gp
from gurobipy import GRB

other = gp.Model()
x = other.addVar(ub=3)
other.setObjective(x, GRB.MAXIMIZE)
other.optimize()
print("= other", other.ObjVal)
other.dispose()
m = gp.Model()
y = m.addVar(ub=4)
m.setObjective(y, GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal)
