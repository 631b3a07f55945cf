"""An indicator whose variable is an integer within 0 and 1."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
b = m.addVar(ub=1, vtype=GRB.INTEGER, name="b")
x = m.addVar(ub=10, name="x")
m.addConstr((b == 1) >> (x <= 3))
m.setObjective(x + 5 * b, GRB.MAXIMIZE)
try:
    m.optimize()
    print("= obj", m.ObjVal)
except gp.GurobiError as error:
    print("= refused", error.errno)
