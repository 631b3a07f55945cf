"""quicksum of nothing against a positive number."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=4, name="x")
m.setObjective(x, GRB.MAXIMIZE)
m.addConstr(gp.quicksum(x for _ in range(0)) == 2, "never")
m.optimize()
print("= status", m.Status in (GRB.INFEASIBLE, GRB.INF_OR_UNBD), m.NumConstrs)
