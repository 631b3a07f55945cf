"""A flow by node balances, supplies as a dictionary, duals as potentials."""

import gurobipy as gp

arcs, cap, cost = gp.multidict(
    {
        ("s", "a"): [10, 4],
        ("s", "b"): [8, 2],
        ("a", "t"): [7, 3],
        ("b", "a"): [5, 1],
        ("b", "t"): [9, 6],
    }
)
supply = {"s": 12, "a": 0, "b": 0, "t": -12}
m = gp.Model("flow")
f = m.addVars(arcs, ub=cap, obj=cost, name="f")
balance = m.addConstrs((f.sum(v, "*") - f.sum("*", v) == supply[v] for v in supply), "node")
m.optimize()
print("= cost", m.ObjVal)
print("= potential difference", balance["s"].Pi - balance["t"].Pi)
