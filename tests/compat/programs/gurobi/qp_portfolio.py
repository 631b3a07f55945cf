"""Portfolio variance with a covariance matrix and a return row."""

import gurobipy as gp

mean = [0.08, 0.12, 0.10, 0.07]
cov = [
    [0.10, 0.02, 0.01, 0.00],
    [0.02, 0.20, 0.03, 0.01],
    [0.01, 0.03, 0.15, 0.02],
    [0.00, 0.01, 0.02, 0.08],
]
m = gp.Model("portfolio")
w = m.addVars(4, ub=1, name="w")
m.addConstr(w.sum() == 1, "budget")
m.addConstr(gp.quicksum(mean[i] * w[i] for i in range(4)) >= 0.095, "return")
m.setObjective(gp.quicksum(cov[i][j] * w[i] * w[j] for i in range(4) for j in range(4)))
m.optimize()
print("= risk", round(m.ObjVal, 5))
