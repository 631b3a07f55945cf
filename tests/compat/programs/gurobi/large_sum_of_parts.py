"""Over the restricted size: 6,000 columns, 3,001 rows; the optimum by sorting."""

import gurobipy as gp
from gurobipy import GRB

n = 6000
gain = [(i * 7919) % 10007 for i in range(n)]
m = gp.Model("large")
x = m.addVars(n, vtype=GRB.BINARY, name="x")
m.addConstrs((x[2 * k] + x[2 * k + 1] <= 1 for k in range(n // 2)), name="pair")
m.addConstr(x.sum() <= 500)
m.setObjective(gp.quicksum(gain[i] * x[i] for i in range(n)), GRB.MAXIMIZE)
m.optimize()
best = sorted((max(gain[2 * k], gain[2 * k + 1]) for k in range(n // 2)), reverse=True)
expected = float(sum(best[:500]))
print("= obj", m.ObjVal == expected or abs(m.ObjVal - expected) < 1e-3)
