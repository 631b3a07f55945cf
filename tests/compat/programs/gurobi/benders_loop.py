"""Benders in a loop with two models, duals of the second."""

import gurobipy as gp
from gurobipy import GRB

cap, fixed, price, demand = [20, 25, 15], [50, 60, 40], [3, 2, 4], 30
m = gp.Model("master")
m.Params.OutputFlag = 0
y = m.addVars(3, vtype=GRB.BINARY, name="y")
theta = m.addVar(name="theta")
m.setObjective(gp.quicksum(fixed[i] * y[i] for i in range(3)) + theta)
for _ in range(30):
    m.optimize()
    sub = gp.Model("sub")
    sub.Params.OutputFlag = 0
    f = sub.addVars(3, obj=price, name="f")
    s = sub.addVar(obj=50, name="short")
    need = sub.addConstr(f.sum() + s >= demand)
    room = sub.addConstrs(f[i] <= cap[i] * round(y[i].X) for i in range(3))
    sub.optimize()
    if sub.ObjVal - 1e-6 <= theta.X:
        break
    m.addConstr(
        theta >= need.Pi * demand + gp.quicksum(room[i].Pi * cap[i] * y[i] for i in range(3))
    )
print("= obj", m.ObjVal, sub.ObjVal - 1e-6 <= theta.X)
