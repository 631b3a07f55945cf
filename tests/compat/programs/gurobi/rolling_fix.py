"""Fix and optimise: half of the binaries fixed by the relaxation."""

import gurobipy as gp
from gurobipy import GRB

n = 10
m = gp.Model()
x = m.addVars(n, vtype=GRB.BINARY, name="x")
m.addConstr(gp.quicksum((4 + 3 * i % 7) * x[i] for i in range(n)) <= 30)
m.setObjective(gp.quicksum((5 + 7 * i % 11) * x[i] for i in range(n)), GRB.MAXIMIZE)
m.update()
r = m.relax()
r.optimize()
for v in r.getVars():
    if v.X > 1 - 1e-9:
        m.getVarByName(v.VarName).LB = 1
m.optimize()
print("= relaxed", r.ObjVal)
print("= obj", m.ObjVal)
