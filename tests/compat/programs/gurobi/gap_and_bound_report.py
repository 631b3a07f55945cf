"""The closing report that programs print, by status."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model("report")
x = m.addVars(6, vtype=GRB.INTEGER, ub=5, name="x")
m.addConstr(gp.quicksum((2 + i) * x[i] for i in range(6)) <= 33, name="cap")
m.setObjective(gp.quicksum((3 + 2 * i) * x[i] for i in range(6)), GRB.MAXIMIZE)
m.optimize()
if m.status == GRB.OPTIMAL:
    print(f"= Optimal objective: {m.objVal:.4f}")
elif m.status == GRB.INFEASIBLE:
    print("= infeasible")
elif m.status == GRB.UNBOUNDED:
    print("= unbounded")
elif m.status in (GRB.TIME_LIMIT, GRB.SUBOPTIMAL, GRB.INTERRUPTED):
    print("= stopped", m.SolCount, m.MIPGap)
else:
    print("= other", m.status)
