"""Over the unlicensed size: 12,000 columns, 6,001 rows; the optimum by sorting."""

import coptpy as cp
from coptpy import COPT

n = 12000
gain = [(i * 7919) % 10007 for i in range(n)]
env = cp.Envr()
m = env.createModel("large")
x = m.addVars(n, vtype=COPT.BINARY, nameprefix="x")
m.addConstrs((x[2 * k] + x[2 * k + 1] <= 1 for k in range(n // 2)), nameprefix="pair")
m.addConstr(x.sum() <= 500)
m.setObjective(cp.quicksum(gain[i] * x[i] for i in range(n)), COPT.MAXIMIZE)
m.solve()
best = sorted((max(gain[2 * k], gain[2 * k + 1]) for k in range(n // 2)), reverse=True)
expected = float(sum(best[:500]))
print("= close", abs(m.objval - expected) < 1e-3)
