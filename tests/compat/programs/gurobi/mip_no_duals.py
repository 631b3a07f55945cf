"""Pi of a MIP is not there."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=5, vtype=GRB.INTEGER, name="x")
c = m.addConstr(2 * x <= 7, "c")
m.setObjective(x, GRB.MAXIMIZE)
m.optimize()
for get in (lambda: c.Pi, lambda: x.RC):
    try:
        print("= got", get())
    except (AttributeError, gp.GurobiError) as error:
        print("= refused", type(error).__name__)
print("= obj", m.ObjVal, c.Slack)
