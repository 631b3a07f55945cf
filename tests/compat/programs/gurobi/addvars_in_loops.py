"""A dictionary of dictionaries of variables, names with zip and enumerate."""

import gurobipy as gp
from gurobipy import GRB

crews = ["A", "B", "C"]
flights = {101: 3.0, 102: 2.0, 103: 4.5, 104: 1.5}
m = gp.Model("crew")
x = {c: {f: m.addVar(vtype=GRB.BINARY, name=f"{c}-{f}") for f in flights} for c in crews}
for f in flights:
    m.addConstr(gp.quicksum(x[c][f] for c in crews) == 1, name=f"flight-{f}")
for c, limit in zip(crews, (5.0, 4.5, 4.0), strict=True):
    m.addConstr(gp.quicksum(t * x[c][f] for f, t in flights.items()) <= limit, name=f"hours-{c}")
m.setObjective(
    gp.quicksum((k + 2) * t * x[c][f] for k, c in enumerate(crews) for f, t in flights.items()),
    GRB.MINIMIZE,
)
m.optimize()
print("= cost", m.objval)
