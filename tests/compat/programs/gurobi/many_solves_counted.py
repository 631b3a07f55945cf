"""Bisection over a right side: a model solved a dozen times."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
m.Params.OutputFlag = 0
x = m.addVars(4, vtype=GRB.INTEGER, ub=10, name="x")
c = m.addConstr(3 * x[0] + 4 * x[1] + 5 * x[2] + 7 * x[3] <= 0, "c")
m.addConstr(x.sum() >= 9)
m.setObjective(x.sum(), GRB.MAXIMIZE)
low, high = 0, 64
while low < high:
    middle = (low + high) // 2
    c.RHS = middle
    m.optimize()
    if m.Status == GRB.OPTIMAL:
        high = middle
    else:
        low = middle + 1
print("= least", low)
c.RHS = low
m.optimize()
print("= obj", m.ObjVal)
