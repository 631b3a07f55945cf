"""An infeasible convex QP."""

import gurobipy as gp
from gurobipy import GRB

m = gp.Model()
x = m.addVar(ub=1, name="x")
y = m.addVar(ub=1, name="y")
m.addConstr(x + y >= 3)
m.setObjective(x * x + y * y)
m.optimize()
print("= infeasible", m.Status in (GRB.INFEASIBLE, GRB.INF_OR_UNBD))
