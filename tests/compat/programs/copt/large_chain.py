"""Over the unlicensed size: a chain of 6,000 stock balances with a closed form."""

import coptpy as cp
from coptpy import COPT

n = 6000
need = [3 + t % 5 for t in range(n)]
price = [2 + t / n for t in range(n)]
env = cp.Envr()
m = env.createModel("chain")
buy = m.addVars(n, nameprefix="buy")
keep = m.addVars(n, nameprefix="keep")
for t in range(n):
    m.addConstr((keep[t - 1] if t else 0) + buy[t] - need[t] == keep[t])
m.setObjective(cp.quicksum(price[t] * buy[t] + 0.1 * keep[t] for t in range(n)), COPT.MINIMIZE)
m.solve()
expected = float(sum(price[t] * need[t] for t in range(n)))
print("= close", abs(m.objval - expected) < 1e-4)
