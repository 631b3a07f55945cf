"""Production with stock over periods: three families of variables in nested loops."""

import gurobipy as gp

products, periods = ["p", "q"], range(1, 5)
demand = {("p", t): 10 + 5 * t for t in periods} | {("q", t): 30 - 4 * t for t in periods}
hours = {"p": 1.0, "q": 0.8}
m = gp.Model("plan")
make = m.addVars(products, periods, name="make")
hold = m.addVars(products, periods, name="hold")
over = m.addVars(periods, ub=8, name="over")
for p in products:
    for t in periods:
        before = hold[p, t - 1] if t > 1 else 4
        m.addConstr(before + make[p, t] - demand[p, t] == hold[p, t], name=f"flow_{p}_{t}")
for t in periods:
    m.addConstr(gp.quicksum(hours[p] * make[p, t] for p in products) <= 36 + over[t])
m.setObjective(
    gp.quicksum(0.5 * hold[p, t] for p in products for t in periods)
    + gp.quicksum(3 * over[t] for t in periods)
    + gp.quicksum((2 + (p == "q") + 0.1 * t) * make[p, t] for p in products for t in periods)
)
m.optimize()
print("= cost", m.ObjVal)
