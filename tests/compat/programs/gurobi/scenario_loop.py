"""The same model built and solved for several data in a loop."""

import gurobipy as gp
from gurobipy import GRB

results = []
for demand in (10, 20, 35, 60):
    m = gp.Model(f"d{demand}")
    m.Params.OutputFlag = 0
    x = m.addVar(ub=25, name="own")
    y = m.addVar(ub=30, name="bought")
    m.addConstr(x + y >= demand)
    m.setObjective(2 * x + 5 * y, GRB.MINIMIZE)
    m.optimize()
    results.append(m.ObjVal if m.Status == GRB.OPTIMAL else None)
print("= results", results)
