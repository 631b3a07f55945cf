"""tuplelist.select, tupledict.select and multidict."""

import coptpy as cp
from coptpy import COPT

arcs, cap = cp.multidict(
    {("s", "u"): 6, ("s", "v"): 4, ("u", "v"): 3, ("u", "t"): 3, ("v", "t"): 8}
)
arcs = cp.tuplelist(arcs)
env = cp.Envr()
m = env.createModel("flow")
f = m.addVars(arcs, ub=cap, nameprefix="f")
for node in "uv":
    m.addConstr(
        cp.quicksum(f[a] for a in arcs.select("*", node))
        == cp.quicksum(f[a] for a in arcs.select(node, "*"))
    )
m.setObjective(cp.quicksum(f.select("s", "*")), COPT.MAXIMIZE)
m.solve()
print("= flow", m.objval, len(arcs.select("u", "*")))
