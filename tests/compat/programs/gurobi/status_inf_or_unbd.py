"""INF_OR_UNBD resolved by solving again with DualReductions off."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(lb=-GRB.INFINITY, name="x")
y = m.addVar(lb=-GRB.INFINITY, name="y")
m.addConstr(x + y >= 2)
m.addConstr(x + y <= 1)
m.setObjective(x, GRB.MINIMIZE)
m.optimize()
if m.Status == GRB.INF_OR_UNBD:
    m.setParam("DualReductions", 0)
    m.optimize()
print("= final", m.Status == GRB.INFEASIBLE)
