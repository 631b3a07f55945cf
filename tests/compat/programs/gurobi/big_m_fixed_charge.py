"""Fixed charges by big-M with strings as names and f-strings in the report."""

import gurobipy as gp
from gurobipy import GRB

routes = {"rail": (12.0, 300.0, 80), "road": (20.0, 60.0, 50), "sea": (6.0, 700.0, 200)}
m = gp.Model("modes")
q = {r: m.addVar(lb=0, ub=routes[r][2], vtype=GRB.CONTINUOUS, name=f"q_{r}") for r in routes}
y = {r: m.addVar(vtype=GRB.BINARY, name=f"y_{r}") for r in routes}
for r in routes:
    m.addConstr(q[r] <= routes[r][2] * y[r], name=f"charge_{r}")
m.addConstr(gp.quicksum(q[r] for r in routes) >= 100, name="demand")
m.setObjective(gp.quicksum(routes[r][0] * q[r] + routes[r][1] * y[r] for r in routes))
m.optimize()
print(f"= total {m.ObjVal:.2f}")
