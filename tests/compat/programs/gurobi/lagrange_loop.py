"""A subgradient loop that changes costs and reads values."""

import gurobipy as gp
from gurobipy import GRB

w, p, side = [3, 4, 2, 5, 6], [6, 7, 3, 9, 10], [2, 3, 1, 4, 2]
m = gp.Model()
m.Params.OutputFlag = 0
x = m.addVars(5, vtype=GRB.BINARY, name="x")
m.addConstr(gp.quicksum(w[i] * x[i] for i in range(5)) <= 12)
price, best = 0.0, float("inf")
for k in range(1, 25):
    m.setObjective(
        gp.quicksum((p[i] - price * side[i]) * x[i] for i in range(5)) + price * 5, GRB.MAXIMIZE
    )
    m.optimize()
    best = min(best, m.ObjVal)
    used = sum(side[i] for i in range(5) if x[i].X > 0.5)
    price = max(0.0, price + (used - 5) / k)
print("= bound at least", best >= 18 - 1e-6, best <= 24)
m.setObjective(gp.quicksum(p[i] * x[i] for i in range(5)), GRB.MAXIMIZE)
m.addConstr(gp.quicksum(side[i] * x[i] for i in range(5)) <= 5)
m.optimize()
print("= obj", m.ObjVal)
