"""Plain dictionaries of variables made in loops with f-strings."""

import coptpy as cp
from coptpy import COPT

crews = ["A", "B", "C"]
flights = {101: 3.0, 102: 2.0, 103: 4.5, 104: 1.5}
env = cp.Envr()
m = env.createModel("crew")
x = {(c, f): m.addVar(vtype=COPT.BINARY, name=f"{c}_{f}") for c in crews for f in flights}
for f in flights:
    m.addConstr(cp.quicksum(x[c, f] for c in crews) == 1, name=f"flight_{f}")
for c, limit in zip(crews, (5.0, 4.5, 4.0), strict=True):
    m.addConstr(cp.quicksum(t * x[c, f] for f, t in flights.items()) <= limit, name=f"h_{c}")
m.setObjective(
    cp.quicksum((k + 2) * t * x[c, f] for k, c in enumerate(crews) for f, t in flights.items()),
    COPT.MINIMIZE,
)
m.solve()
print("= cost", m.objval)
