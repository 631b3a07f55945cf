"""Lazy rows in MIPSOL that join the parts of a tour."""

import gurobipy as gp
from gurobipy import GRB

stops = [(0, 0), (1, 5), (8, 1), (9, 6), (4, 9), (5, 3), (2, 2), (7, 8), (6, 6)]
n = len(stops)
pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
far = {
    (i, j): ((stops[i][0] - stops[j][0]) ** 2 + (stops[i][1] - stops[j][1]) ** 2) ** 0.5
    for i, j in pairs
}


def parts(used):
    group = list(range(n))
    for i, j in used:
        old, new = group[i], group[j]
        group = [new if g == old else g for g in group]
    return [[i for i in range(n) if group[i] == g] for g in set(group)]


def join(model, where):
    if where == GRB.Callback.MIPSOL:
        value = model.cbGetSolution(model._edge)
        found = parts([p for p in pairs if value[p] > 0.5])
        if len(found) > 1:
            for part in found:
                inside = [p for p in pairs if p[0] in part and p[1] in part]
                model.cbLazy(gp.quicksum(model._edge[p] for p in inside) <= len(part) - 1)


m = gp.Model("tour")
edge = m.addVars(pairs, obj=far, vtype=GRB.BINARY, name="edge")
m.addConstrs(gp.quicksum(edge[p] for p in pairs if i in p) == 2 for i in range(n))
m._edge = edge
m.Params.LazyConstraints = 1
m.optimize(join)
print("= length", m.ObjVal)
