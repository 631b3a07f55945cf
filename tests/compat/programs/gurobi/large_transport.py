"""Over the restricted size: 60 by 60 transport whose cheapest arcs fit."""

import gurobipy as gp

n = 60
cost = {
    (i, j): 5 + (i * 13 + j * 29) % 17 + (0 if i == j else 20) for i in range(n) for j in range(n)
}
demand = [10 + j % 7 for j in range(n)]
m = gp.Model("transport")
ship = m.addVars(n, n, obj=cost, name="ship")
m.addConstrs((ship.sum(i, "*") <= demand[i] + 1 for i in range(n)), "supply")
m.addConstrs((ship.sum("*", j) == demand[j] for j in range(n)), "demand")
m.optimize()
expected = float(sum(cost[j, j] * demand[j] for j in range(n)))
print("= close", abs(m.ObjVal - expected) < 1e-4)
