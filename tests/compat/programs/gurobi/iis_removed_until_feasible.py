"""The usual loop: compute an IIS, remove one of its rows, solve again."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=100, name="x")
m.addConstr(x >= 5, "a")
m.addConstr(x <= 4, "b")
m.setObjective(x, GRB.MINIMIZE)
removed = 0
while True:
    m.optimize()
    if m.Status != GRB.INFEASIBLE:
        break
    m.computeIIS()
    for c in m.getConstrs():
        if c.IISConstr and c.ConstrName == "a":
            m.remove(c)
            removed += 1
            break
print("= removed", removed, m.ObjVal)
