"""Errors that programs make: a string as a bound, a list as a coefficient."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=2, name="x")
for attempt in (
    lambda: m.addVar(lb="low"),
    lambda: x * "a",
    lambda: m.addConstr("x <= 3"),
    lambda: gp.LinExpr([1, 2], [x]),
):
    try:
        attempt()
        m.update()
        print("= accepted")
    except Exception as error:
        print("= refused", type(error).__name__)
m.setObjective(x, GRB.MAXIMIZE)
m.optimize()
print("= obj", m.ObjVal)
