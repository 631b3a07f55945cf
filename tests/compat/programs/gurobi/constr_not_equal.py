"""An unequal comparison is refused or ignored the same way."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=4, vtype=GRB.INTEGER, name="x")
m.setObjective(x, GRB.MAXIMIZE)
try:
    m.addConstr(x != 4)
    print("= accepted")
except (TypeError, gp.GurobiError, NotImplementedError) as error:
    print("= refused", type(error).__name__)
m.optimize()
print("= obj", m.ObjVal)
