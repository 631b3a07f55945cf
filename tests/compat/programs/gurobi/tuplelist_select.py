"""tuplelist with select; iteration over arcs."""

import gurobipy as gp
from gurobipy import GRB

arcs = gp.tuplelist([("s", "u"), ("s", "v"), ("u", "v"), ("u", "t"), ("v", "t")])
cap = {("s", "u"): 6, ("s", "v"): 4, ("u", "v"): 3, ("u", "t"): 3, ("v", "t"): 8}
m = gp.Model("maxflow")
f = m.addVars(arcs, ub=cap, name="f")
for node in "uv":
    m.addConstr(
        gp.quicksum(f[i, j] for i, j in arcs.select("*", node))
        == gp.quicksum(f[i, j] for i, j in arcs.select(node, "*"))
    )
m.setObjective(gp.quicksum(f[a] for a in arcs.select("s", "*")), GRB.MAXIMIZE)
m.optimize()
print("= flow", m.ObjVal)
print("= selected", arcs.select("u"), len(arcs))
