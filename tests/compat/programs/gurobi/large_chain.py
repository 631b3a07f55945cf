"""Over the restricted size: a chain of 5,000 stock balances with a closed form."""

import gurobipy as gp
from gurobipy import GRB

n = 5000
need = [3 + t % 5 for t in range(n)]
price = [2 + t / n for t in range(n)]
m = gp.Model("chain")
buy = [m.addVar(name=f"buy{t}") for t in range(n)]
keep = [m.addVar(name=f"keep{t}") for t in range(n)]
for t in range(n):
    m.addConstr((keep[t - 1] if t else 0) + buy[t] - need[t] == keep[t])
m.setObjective(gp.quicksum(price[t] * buy[t] + 0.1 * keep[t] for t in range(n)), GRB.MINIMIZE)
m.optimize()
expected = float(sum(price[t] * need[t] for t in range(n)))
print("= close", abs(m.ObjVal - expected) < 1e-4)
