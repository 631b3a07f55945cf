"""multidict with one and with several values per key."""

import gurobipy as gp

foods, cost, protein, limit = gp.multidict(
    {"oats": [2.0, 11, 5], "eggs": [3.5, 13, 4], "beans": [1.5, 8, 6], "milk": [1.1, 4, 8]}
)
names, floor = gp.multidict({"protein": 90})
m = gp.Model("diet")
buy = m.addVars(foods, ub=limit, name="buy")
m.addConstr(buy.prod(protein) >= floor["protein"], names[0])
m.setObjective(buy.prod(cost))
m.optimize()
print("= cost", m.ObjVal)
print("= kinds", type(foods).__name__, type(cost).__name__, list(foods))
