"""A step discount with binaries for segments, a common idiom."""

import gurobipy as gp
from gurobipy import GRB

breaks = [0, 50, 120, 300]
rate = [10.0, 8.5, 7.0]
m = gp.Model("discount")
seg = m.addVars(3, vtype=GRB.BINARY, name="seg")
q = m.addVars(3, name="q")
m.addConstr(seg.sum() == 1)
for k in range(3):
    m.addConstr(q[k] >= breaks[k] * seg[k])
    m.addConstr(q[k] <= breaks[k + 1] * seg[k])
m.addConstr(q.sum() >= 110)
m.setObjective(gp.quicksum(rate[k] * q[k] for k in range(3)), GRB.MINIMIZE)
m.optimize()
print("= obj", m.ObjVal, q.sum().getValue())
