"""A constraint whose two sides are numbers is refused."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=4, name="x")
m.setObjective(x, GRB.MAXIMIZE)
try:
    m.addConstr(3 <= 4, "numbers")
    print("= accepted")
except (TypeError, AttributeError, gp.GurobiError) as error:
    print("= refused", type(error).__name__)
m.addConstr(gp.quicksum([]) <= 4, "empty")
m.optimize()
print("= obj", m.ObjVal, m.NumConstrs)
